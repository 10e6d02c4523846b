import { describe, expect, it } from '@jest/globals';
import { systemClock } from '../ops/clock.ts';
import { autoCreateRefusal, readAutoCreateRule } from './auto-create.ts';
import { wildcardMatches } from './wildcard.ts';

describe('a wildcard', () => {
  it.each([
    ['*', 'anything', true],
    ['weir.*', 'weir.a.b', true],
    ['weir.*', 'weir', false],
    ['*.soft', 'weir.cpu.soft', true],
    ['a*b*c', 'a1b2c', true],
    ['a*b*c', 'acb', false],
    ['a*a', 'a', false],
    ['exact', 'exact', true],
    ['exact', 'exactly', false],
    ['a**b', 'ab', true],
    ['', '', true],
  ])('%j and %j: %s', (pattern, name, fits) => {
    expect(wildcardMatches(pattern, name)).toBe(fits);
  });

  it('is never slow', () => {
    const startMs = systemClock.nowMs();
    wildcardMatches('a*'.repeat(10_000), 'a'.repeat(100_000));
    expect(systemClock.nowMs() - startMs).toBeLessThan(500);
  });
});

describe('action.auto_create_index', () => {
  const refusal = (text: string, name: string) => autoCreateRefusal(readAutoCreateRule(text) ?? [], name);

  it('true allows every name, false none', () => {
    expect(refusal('true', 'a')).toBeUndefined();
    expect(refusal('false', 'a')).toBe('[action.auto_create_index] is [false]');
  });

  it('takes the first pattern that matches', () => {
    expect(refusal('-secret*,+logs-*,metrics', 'logs-1')).toBeUndefined();
    expect(refusal('-secret*,*', 'secret-1')).toBe(
      '[action.auto_create_index] contains [-secret*] which forbids automatic creation of the index',
    );
    expect(refusal('+logs-*,metrics', 'other')).toBe(
      "[action.auto_create_index] ([+logs-*,+metrics]) doesn't match",
    );
  });

  it.each(['', ',', '+', '-', 'a b,', '+-a', 'a,,b'])('is not %j', (text) => {
    expect(readAutoCreateRule(text)).toBeUndefined();
  });
});
