import { describe, expect, it } from '@jest/globals';
import { ManualClock, seededRng } from '@weir/shared/testing';
import { AutoIds } from './auto-id.ts';

describe('ids made here', () => {
  it('have 20 characters that need no escaping in a URL and begin with a letter', () => {
    expect(new AutoIds(new ManualClock(), seededRng(1)).next()).toMatch(/^[A-Z][\w-]{19}$/);
  });

  it('sort in the order they were made in, over time and where more are made than a millisecond has room for', () => {
    const clock = new ManualClock();
    const ids = new AutoIds(clock, seededRng(1));
    const made: string[] = [];
    for (const stepMs of [0, 1, 1_000, 86_400_000]) {
      clock.advance(stepMs);
      for (let count = 0; count < 10_000; count += 1) made.push(ids.next());
    }
    expect(new Set(made).size).toBe(made.length);
    expect([...made].sort()).toEqual(made);
  });

  it('go on growing when the wall clock is set back', () => {
    let wallMs = 1_700_000_000_000;
    const ids = new AutoIds({ nowMs: () => 0, wallMs: () => wallMs }, seededRng(1));
    const before = ids.next();
    wallMs -= 60_000;
    expect(ids.next() > before).toBe(true);
  });

  it('of two makers never meet', () => {
    const clock = new ManualClock();
    const one = new AutoIds(clock, seededRng(1));
    const two = new AutoIds(clock, seededRng(2));
    expect(one.next()).not.toBe(two.next());
  });
});
