import { describe, expect, it } from '@jest/globals';
import { StressStates } from '@weir/shared';
import { DEFAULT_SETTINGS, ManualClock } from '@weir/shared/testing';
import { StressWatch } from './stress-watch.ts';

function watched() {
  const clock = new ManualClock();
  const states = new StressStates();
  const now = { delayMs: 0, draining: false };
  const watch = new StressWatch({
    states,
    delayMs: () => now.delayMs,
    settings: () => DEFAULT_SETTINGS,
    isDraining: () => now.draining,
    clock,
  });
  const heap = (percent: number): void => {
    const heapReading = { fast: percent, slow: percent, quality: 'ok' } as const;
    states.observe({ heap: heapReading }, clock.nowMs(), DEFAULT_SETTINGS);
  };
  heap(10);
  watch.changed();
  return { clock, watch, now, heap };
}

describe('the stress watch', () => {
  it('sees no change where there is none', () => {
    const { watch, heap } = watched();
    expect(watch.changed()).toBe(false);
    heap(79);
    expect(watch.changed()).toBe(false);
  });

  it('sees a signal pass a limit of either role, once', () => {
    const { watch, heap } = watched();
    heap(81);
    expect(watch.changed()).toBe(true);
    expect(watch.changed()).toBe(false);
    heap(89);
    expect(watch.changed()).toBe(true);
  });

  it('sees stress end after its least time', () => {
    const { clock, watch, heap } = watched();
    heap(81);
    watch.changed();
    clock.advance(3_000);
    heap(70);
    expect(watch.changed()).toBe(true);
  });

  it('sees work pile up, and the node drain', () => {
    const { watch, now } = watched();
    now.delayMs = 450;
    expect(watch.changed()).toBe(true);
    now.draining = true;
    expect(watch.changed()).toBe(true);
    expect(watch.changed()).toBe(false);
  });
});
