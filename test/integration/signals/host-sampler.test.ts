// The samplers on the machine that runs the tests: real /proc, real cgroups, real collections.
import { createHook } from 'node:async_hooks';
import { tmpdir } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  delay,
  type HostSampler,
  openHostSampler,
  SAMPLED_SIGNALS,
  systemClock,
  systemTimers,
} from '@weir/shared';
import { ManualClock } from '@weir/shared/testing';

const warned: unknown[] = [];
const warn = (message: string, fields: unknown): void => void warned.push({ message, fields });
let sampler: HostSampler | undefined;

afterEach(() => {
  sampler?.stop();
  sampler = undefined;
});

describe('the host sampler on this machine', () => {
  it('reads every signal, each finite and between 0 and 100, and warms up within seconds', async () => {
    sampler = openHostSampler({ clock: systemClock, timers: systemTimers, warn, dataPath: tmpdir() });
    sampler.start();
    await delay(systemTimers, 4_000);
    const readings = sampler.readings();
    expect(warned).toEqual([]);
    for (const signal of SAMPLED_SIGNALS) {
      const reading = readings[signal];
      expect(reading?.quality).toBe('ok');
      for (const percent of [reading?.fast, reading?.slow]) {
        expect(percent).toBeGreaterThanOrEqual(0);
        expect(percent).toBeLessThanOrEqual(100);
      }
    }
  });

  it('sees the load it makes itself: a busy loop fills the event loop and keeps a core busy', async () => {
    sampler = openHostSampler({ clock: systemClock, timers: systemTimers, warn });
    sampler.start();
    const endMs = systemClock.nowMs() + 3_500;
    while (systemClock.nowMs() < endMs) {
      const turnMs = systemClock.nowMs() + 100;
      while (systemClock.nowMs() < turnMs);
      await delay(systemTimers, 0);
    }
    const { event_loop, cpu } = sampler.readings();
    expect(event_loop?.fast).toBeGreaterThan(70);
    expect(cpu?.fast).toBeGreaterThan(0);
  });

  it('C095: starts no child process and stays within 10 ms in 99 of 100 samples', () => {
    const clock = new ManualClock();
    sampler = openHostSampler({ clock, timers: clock, warn, dataPath: tmpdir() });
    let processes = 0;
    const hook = createHook({
      init(_id, type) {
        if (type === 'PROCESSWRAP') processes += 1;
      },
    }).enable();
    const tookMs: number[] = [];
    for (let sample = 0; sample < 500; sample++) {
      clock.advance(600);
      const beganMs = systemClock.nowMs();
      expect(sampler.sampleNow()).toBe(true);
      tookMs.push(systemClock.nowMs() - beganMs);
    }
    hook.disable();
    tookMs.sort((a, b) => a - b);
    expect(processes).toBe(0);
    expect(tookMs[494]).toBeLessThan(10);
  });

  it('C048: takes what a real major collection left for the level of the heap', async () => {
    const clock = new ManualClock();
    sampler = openHostSampler({ clock, timers: clock, warn });
    sampler.sampleNow();
    const held = [manyObjects()];
    const heapNow = (): number => {
      clock.advance(60_000);
      sampler?.sampleNow();
      return sampler?.readings().heap?.fast ?? Number.NaN;
    };
    const collect = collector();
    collect();
    await delay(systemTimers, 50);
    const full = heapNow();
    held.length = 0;
    expect(heapNow()).toBe(full);
    collect();
    await delay(systemTimers, 50);
    expect(heapNow()).toBeLessThan(full);
  });
});

/** Made in a function of its own: a loop's frame can hold on to what it made. */
function manyObjects(): readonly object[] {
  return Array.from({ length: 500_000 }, (_, item) => ({ item }));
}

function collector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
