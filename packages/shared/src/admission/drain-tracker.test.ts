import { describe, expect, it } from '@jest/globals';
import { delayMs } from './delay.ts';
import { DrainTracker } from './drain-tracker.ts';

describe('the drain rate', () => {
  it('R1: is unknown before the first completion', () => {
    const tracker = new DrainTracker();
    tracker.arrive(5, 0);
    expect(tracker.drainPerS(1_000)).toBeNull();
  });

  it('is work completed per second while work waits', () => {
    const tracker = new DrainTracker();
    let ticket = tracker.arrive(2, 0);
    for (let at = 50; at <= 20_000; at += 50) {
      const next = tracker.arrive(2, at);
      tracker.start(ticket);
      tracker.complete(ticket, at);
      ticket = next;
    }
    expect(tracker.drainPerS(20_000)).toBeGreaterThan(39);
    expect(tracker.drainPerS(20_000)).toBeLessThan(41);
  });

  it('is that of the work there is now after 8 s, however fast other work was drained before', () => {
    const tracker = new DrainTracker();
    const drainOne = (work: number, fromMs: number, untilMs: number): void => {
      tracker.complete(tracker.arrive(work, fromMs), untilMs);
    };
    for (let at = 0; at < 10_000; at += 100) drainOne(1_000, at, at + 100);
    expect(tracker.drainPerS(10_000)).toBeGreaterThan(9_900);
    for (let at = 10_000; at < 18_500; at += 100) drainOne(1, at, at + 100);
    expect(tracker.drainPerS(18_500)).toBeLessThan(10.1);
  });

  it('stays as it was while the node is idle', () => {
    const tracker = new DrainTracker();
    tracker.complete(tracker.arrive(10, 0), 100);
    const rate = tracker.drainPerS(100);
    expect(tracker.drainPerS(3_600_000)).toBe(rate);
  });

  it('learns little from time in which nothing waits: then the node works below what it could', () => {
    const tracker = new DrainTracker();
    for (let at = 0; at < 2_000; at += 10) {
      const first = tracker.arrive(1, at);
      const second = tracker.arrive(1, at);
      tracker.start(first);
      tracker.complete(first, at + 5);
      tracker.start(second);
      tracker.complete(second, at + 10);
    }
    const full = tracker.drainPerS(2_000) ?? 0;
    for (let at = 2_000; at < 4_000; at += 100) {
      const alone = tracker.arrive(1, at);
      tracker.start(alone);
      tracker.complete(alone, at + 100);
    }
    expect(tracker.drainPerS(4_000)).toBeGreaterThan(full * 0.8);
  });
});

describe('work at a node', () => {
  it('is what is waiting and in service, and 0 when all is done', () => {
    const tracker = new DrainTracker();
    const tickets = [0.1, 0.2, 0.3].map((work) => tracker.arrive(work, 0));
    expect(tracker.work).toBeCloseTo(0.6, 10);
    expect(tracker.inside).toBe(3);
    for (const ticket of tickets) tracker.complete(ticket, 10);
    expect(tracker.work).toBe(0);
    expect(tracker.completedTotal).toBe(3);
    expect(tracker.acceptedTotal).toBeCloseTo(0.6, 10);
  });

  it('has waited as long as the oldest that has not had its turn', () => {
    const tracker = new DrainTracker();
    const first = tracker.arrive(1, 0);
    tracker.arrive(1, 30);
    expect(tracker.oldestWaitingMs(100)).toBe(100);
    tracker.start(first);
    expect(tracker.oldestWaitingMs(100)).toBe(70);
  });
});

describe('the delay', () => {
  it('is work ÷ drain rate, or the age of the oldest waiting piece if larger', () => {
    expect(delayMs(40, 80, 0)).toBe(500);
    expect(delayMs(40, 80, 700)).toBe(700);
    expect(delayMs(40, null, 30)).toBe(30);
    expect(delayMs(40, 0, 30)).toBe(30);
  });
});
