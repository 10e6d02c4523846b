import { describe, expect, it } from '@jest/globals';
import { CounterWindow } from './counter-window.ts';
import { NO_WINDOW } from './sampler.ts';

/** A window whose first reading, at 0 ms, was 1000 of 10,000. */
function begun(): CounterWindow {
  const window = new CounterWindow();
  window.observe(1_000, 10_000, 0);
  return window;
}

describe('a window between two readings of counters', () => {
  it('C090: says nothing at the first reading, which would tell of the time since boot', () => {
    expect(new CounterWindow().observe(9_500, 10_000, 0)).toBe(NO_WINDOW);
  });

  it('tells what was used of what could have been', () => {
    expect(begun().observe(1_250, 11_000, 1_000)).toBe(25);
  });

  it('C087: says nothing 5 ms after a reading, and then tells of the whole time', () => {
    const window = begun();
    expect(window.observe(1_005, 10_005, 5)).toBe(NO_WINDOW);
    expect(window.observe(1_500, 11_000, 1_000)).toBe(50);
  });

  it('C087: drops a window whose counter ran back and begins anew with it', () => {
    const window = begun();
    expect(window.observe(900, 11_000, 1_000)).toBe(NO_WINDOW);
    expect(window.observe(1_400, 12_000, 2_000)).toBe(50);
  });

  it('C087: drops a window in which nothing was possible', () => {
    expect(begun().observe(1_500, 10_000, 1_000)).toBe(NO_WINDOW);
  });

  it('C087: never tells more than 100 %', () => {
    expect(begun().observe(1_000 + 18_570, 11_000, 1_000)).toBe(100);
  });

  it('C087: drops the window of a 14 s pause', () => {
    const window = begun();
    expect(window.observe(15_000, 24_000, 14_000)).toBe(NO_WINDOW);
    expect(window.observe(15_100, 25_000, 15_000)).toBe(10);
  });

  it('begins anew when the clock ran back', () => {
    const window = begun();
    expect(window.observe(1_100, 11_000, -1)).toBe(NO_WINDOW);
    expect(window.observe(1_200, 12_000, 999)).toBe(10);
  });
});
