import { describe, expect, it } from '@jest/globals';
import { settle } from '../testing/settle.ts';
import { PortableCpuSampler } from './portable-cpu-sampler.ts';
import { NO_WINDOW } from './sampler.ts';

describe('the portable cpu sampler', () => {
  it('C090: throws away the first answer, which tells of the time since boot', async () => {
    const answers = [95, 10];
    const sampler = new PortableCpuSampler(async () => answers.shift() ?? 0);
    expect(sampler.sample(0)).toBe(NO_WINDOW);
    await settle();
    expect(sampler.sample(1_000)).toBe(NO_WINDOW);
    await settle();
    expect(sampler.sample(1_500)).toBe(10);
  });

  it('asks at most once a second and hands an answer out once', async () => {
    let asked = 0;
    const sampler = new PortableCpuSampler(async () => {
      asked += 1;
      return 20;
    });
    const samples = [];
    for (let nowMs = 0; nowMs < 5_000; nowMs += 500) {
      samples.push(sampler.sample(nowMs));
      await settle();
    }
    expect(asked).toBe(5);
    expect(samples.filter((sample) => sample === 20)).toHaveLength(4);
  });

  it('never asks while a question is open', async () => {
    let asked = 0;
    const sampler = new PortableCpuSampler(() => {
      asked += 1;
      return new Promise(() => {});
    });
    for (let nowMs = 0; nowMs < 10_000; nowMs += 1_000) sampler.sample(nowMs);
    await settle();
    expect(asked).toBe(1);
  });

  it('is unavailable when the question fails', async () => {
    const sampler = new PortableCpuSampler(() => Promise.reject(new Error('no such program')));
    sampler.sample(0);
    await settle();
    sampler.sample(1_000);
    await settle();
    expect(sampler.sample(1_500)).toBeUndefined();
  });

  it('throws away the answer after a long pause', async () => {
    const sampler = new PortableCpuSampler(async () => 99);
    sampler.sample(0);
    await settle();
    sampler.sample(14_000);
    await settle();
    expect(sampler.sample(14_500)).toBe(NO_WINDOW);
  });

  it('asks nothing once closed', async () => {
    let asked = 0;
    const sampler = new PortableCpuSampler(async () => ++asked);
    sampler.close();
    expect(sampler.sample(0)).toBe(NO_WINDOW);
    await settle();
    expect(asked).toBe(0);
  });
});
