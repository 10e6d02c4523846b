import { describe, expect, it } from '@jest/globals';
import { DEFAULT_SETTINGS, ManualClock } from '@weir/shared/testing';
import { AgentWork } from './agent-work.ts';

const { minHoldMs } = DEFAULT_SETTINGS.admission;
const hardMs = DEFAULT_SETTINGS.admission.signals.queue.limits.primary.hard;

function workAt(delayMs: (nowMs: number) => number) {
  const clock = new ManualClock(1_000);
  const settings = () => DEFAULT_SETTINGS;
  return { clock, work: new AgentWork({ clock, settings, pool: { delayMs } }) };
}

describe('what waits at a node beside an agent', () => {
  it('is what was sent there and not answered, or what its pool says, whichever is longer', () => {
    const { clock, work } = workAt(() => 70);
    const end = work.begin(10, 1);
    clock.advance(50);
    expect(work.delayMs()).toBe(70);
    clock.advance(50);
    expect(work.delayMs()).toBe(100);
    expect(work.standing()).toMatchObject({ work: 10, operationsWaiting: 1, oldestWaitingMs: 100 });
    end();
    expect(work.standing()).toMatchObject({ work: 0, oldestWaitingMs: 70, completedTotal: 1 });
  });

  it('is what its pool says now, not what it said when it was looked at', () => {
    const { clock, work } = workAt((nowMs) => 2_000 - nowMs);
    expect(work.delayMs()).toBe(1_000);
    clock.advance(400);
    expect([work.delayMs(), work.standing().oldestWaitingMs]).toEqual([600, 600]);
  });

  it('is nothing its pool held beside ours once that is answered, nor for other parts of the one bulk that was there', () => {
    const { work } = workAt(() => 700);
    const end = work.begin(10, 1, 'large');
    expect(work.poolObserved()).toBe(1);
    expect([work.delayMs('large'), work.delayMs('next'), work.delayMs()]).toEqual([0, 700, 700]);
    end();
    expect([work.delayMs('next'), work.standing().oldestWaitingMs]).toEqual([0, 0]);
    expect(work.poolObserved()).toBe(0);
    expect(work.delayMs('next')).toBe(700);
  });

  it('is as much as the hard limit for min_hold after the node refused something, also for readers who subtract the age', () => {
    const { clock, work } = workAt(() => 0);
    expect(work.noteRefusal()).toBe(true);
    const published = work.standing().oldestWaitingMs;
    expect(published - minHoldMs).toBe(hardMs);
    clock.advance(minHoldMs - 1);
    expect(work.delayMs()).toBe(hardMs);
    clock.advance(1);
    expect([work.delayMs(), work.standing().oldestWaitingMs]).toEqual([0, 0]);
  });

  it('has one refusal as news, and holds longer with each that follows', () => {
    const { clock, work } = workAt(() => 0);
    work.noteRefusal();
    clock.advance(minHoldMs - 1);
    expect(work.noteRefusal()).toBe(false);
    clock.advance(minHoldMs - 1);
    expect(work.delayMs()).toBe(hardMs);
    clock.advance(1);
    expect(work.noteRefusal()).toBe(true);
  });
});
