import { describe, expect, it } from '@jest/globals';
import { usableHeapBytes } from './heap-limit.ts';

const MIB = 2 ** 20;

describe('the usable heap', () => {
  // Limits as Node.js 20 reports them; it died at 99 % of these figures, filled with small objects.
  it.each([
    ['a given old space', 304, ['--max-old-space-size=256'], 256],
    ['the spelling with underscores', 304, ['--max_old_space_size=256'], 256],
    ['the last flag of a kind', 304, ['--max-old-space-size=999', '--max-old-space-size=256'], 256],
    ['a given semi-space', 448, ['--max-semi-space-size=64'], 256],
    ['a small heap of V8’s own choice', 262, [], 256],
    ['a large heap of V8’s own choice', 4_144, [], 4_096],
  ])('follows %s', (_, limitMib, flags, usableMib) => {
    expect(usableHeapBytes(limitMib * MIB, flags) / MIB).toBeCloseTo(usableMib, 6);
  });

  it('never exceeds what V8 says, nor falls below half of it for flags that make no sense', () => {
    expect(usableHeapBytes(304 * MIB, ['--max-old-space-size=9000'])).toBe(304 * MIB);
    expect(usableHeapBytes(304 * MIB, ['--max-semi-space-size=9000'])).toBe(152 * MIB);
    expect(usableHeapBytes(262 * MIB, ['--max-old-space-size=0'])).toBe(256 * MIB);
  });
});
