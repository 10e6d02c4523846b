import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '@weir/shared/testing';
import { LoopLag } from './loop-lag.ts';

/** A loop that can be held up: its clock goes on while none of its timers run. */
class HeldLoop extends ManualClock {
  #aheadMs = 0;

  override nowMs(): number {
    return super.nowMs() + this.#aheadMs;
  }

  holdFor(ms: number): void {
    this.#aheadMs += ms;
  }
}

function probing(): { loop: HeldLoop; lag: LoopLag } {
  const loop = new HeldLoop();
  const lag = new LoopLag({ clock: loop, timers: loop });
  lag.start();
  return { loop, lag };
}

describe('the lag of the event loop', () => {
  it('is nothing while timers fire when they should', () => {
    const { loop, lag } = probing();
    loop.advance(1_000);
    expect(lag.delayMs()).toBe(0);
  });

  it('counts a probe that is overdue before it has fired', () => {
    const { loop, lag } = probing();
    loop.holdFor(400);
    expect(lag.delayMs()).toBe(350);
  });

  it('remembers the longest wait for half a second, then forgets it', () => {
    const { loop, lag } = probing();
    loop.holdFor(300);
    loop.advance(50);
    expect(lag.delayMs()).toBe(300);
    loop.advance(450);
    expect(lag.delayMs()).toBe(300);
    loop.advance(100);
    expect(lag.delayMs()).toBe(0);
  });

  it('ends with stop', () => {
    const { loop, lag } = probing();
    lag.stop();
    loop.holdFor(400);
    loop.advance(1_000);
    expect(lag.delayMs()).toBe(0);
  });
});
