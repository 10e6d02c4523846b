import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '@weir/shared/testing';
import { WorkTracker } from './work-tracker.ts';

describe('the work tracker', () => {
  it('counts work and operations from begin to release', () => {
    const clock = new ManualClock();
    const tracker = new WorkTracker(clock);
    const first = tracker.begin(6, 3);
    clock.advance(100);
    const second = tracker.begin(2, 1);
    expect(tracker.standing()).toMatchObject({
      work: 8,
      operationsWaiting: 4,
      oldestWaitingMs: 100,
      acceptedTotal: 8,
      completedTotal: 0,
    });
    first();
    expect(tracker.standing()).toMatchObject({ work: 2, operationsWaiting: 1, completedTotal: 3 });
    second();
    expect(tracker.standing()).toMatchObject({
      work: 0,
      operationsWaiting: 0,
      oldestWaitingMs: 0,
      acceptedTotal: 8,
      completedTotal: 4,
    });
  });

  it('releases once, however often it is told', () => {
    const tracker = new WorkTracker(new ManualClock());
    const release = tracker.begin(5, 2);
    tracker.begin(1, 1);
    release();
    release();
    expect(tracker.standing()).toMatchObject({ work: 1, operationsWaiting: 1, completedTotal: 2 });
  });

  it('R1: has no drain rate before the first completion, and keeps the last one while idle', () => {
    const clock = new ManualClock();
    const tracker = new WorkTracker(clock);
    const release = tracker.begin(100, 10);
    clock.advance(1_000);
    expect(tracker.standing().drainPerS).toBeNull();
    release();
    const rate = tracker.standing().drainPerS;
    expect(rate).toBeGreaterThan(0);
    clock.advance(60_000);
    expect(tracker.standing().drainPerS).toBe(rate);
  });

  it('tells how long new work would wait: work over drain rate, or the age of the oldest', () => {
    const clock = new ManualClock();
    const tracker = new WorkTracker(clock);
    expect(tracker.delayMs()).toBe(0);
    const release = tracker.begin(10, 1);
    clock.advance(250);
    expect(tracker.delayMs()).toBe(250);
    release();
    const drainPerS = tracker.standing().drainPerS ?? 0;
    tracker.begin(1_000, 100);
    expect(tracker.delayMs()).toBeCloseTo((1_000 / drainPerS) * 1_000, 6);
  });

  it('lets the parts of one bulk not wait for each other, only for what others have sent', () => {
    const clock = new ManualClock();
    const tracker = new WorkTracker(clock);
    const learnt = tracker.begin(1_000, 100);
    clock.advance(1_000);
    learnt();
    const first = tracker.begin(700, 70, 'large');
    clock.advance(100);
    tracker.begin(200, 20, 'other');
    const second = tracker.begin(300, 30, 'large');
    clock.advance(50);
    const msOf = (work: number): number => (work / (tracker.standing().drainPerS ?? 0)) * 1_000;
    expect(tracker.delayMs('large')).toBeCloseTo(msOf(200), 6);
    expect(tracker.delayMs('other')).toBeCloseTo(msOf(1_000), 6);
    expect(tracker.delayMs()).toBeCloseTo(msOf(1_200), 6);
    first();
    second();
    expect(tracker.delayMs('large')).toBe(tracker.delayMs());
  });
});
