import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '../testing/index.ts';
import { BoundedWarnings } from './bounded-warnings.ts';

describe('bounded warnings', () => {
  it('write one line per kind and period, and tell with the next how many were left out', () => {
    const clock = new ManualClock();
    const lines: unknown[] = [];
    const warnings = new BoundedWarnings({ warn: (fields, message) => lines.push([fields, message]) }, clock);
    for (let beat = 0; beat < 40; beat += 1) {
      warnings.warn('down', { cause: 'refused' }, 'cannot reach Redis');
      clock.advance(500);
    }
    warnings.warn('other', {}, 'something else');
    expect(lines).toEqual([
      [{ cause: 'refused' }, 'cannot reach Redis'],
      [{ cause: 'refused', left_out: 19 }, 'cannot reach Redis'],
      [{}, 'something else'],
    ]);
  });
});
