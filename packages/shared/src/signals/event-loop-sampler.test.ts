import { describe, expect, it } from '@jest/globals';
import { EventLoopSampler } from './event-loop-sampler.ts';
import { NO_WINDOW } from './sampler.ts';

describe('the event loop sampler', () => {
  it('tells the share of time the loop was active since the sample before', () => {
    let times = { active: 5_000, idle: 0 };
    const sampler = new EventLoopSampler(() => times);
    expect(sampler.sample(0)).toBe(NO_WINDOW);
    times = { active: 5_250, idle: 750 };
    expect(sampler.sample(1_000)).toBe(25);
  });

  it('has no window while the loop has not begun', () => {
    const sampler = new EventLoopSampler(() => ({ active: 0, idle: 0 }));
    sampler.sample(0);
    expect(sampler.sample(1_000)).toBe(NO_WINDOW);
  });
});
