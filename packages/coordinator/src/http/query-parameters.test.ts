import { describe, expect, it } from '@jest/globals';
import { QueryParameters } from './query-parameters.ts';

const of = (originalUrl: string) => new QueryParameters({ originalUrl });

describe('query parameters', () => {
  it('are read by kind, and absent ones have their default', () => {
    const query = of('/_search?size=5&timeout=300ms&q=a+b%20c&pretty');
    expect(query.integer('size', 10, 0, 100)).toBe(5);
    expect(query.integer('from', 7, 0, 100)).toBe(7);
    expect(query.timeMs('timeout', 0)).toBe(300);
    expect(query.text('q')).toBe('a b c');
    query.end();
  });

  it('keep an operator that looks like an assignment', () => {
    expect(of('/_cluster/health?wait_for_nodes=>=1').text('wait_for_nodes')).toBe('>=1');
  });

  it('mean true when they stand alone', () => {
    const query = of('/?v&human=false');
    expect([query.flag('v', false), query.flag('human', true), query.flag('s', true)]).toEqual([
      true,
      false,
      true,
    ]);
  });

  it.each([
    ['/?size=1.5', (q: QueryParameters) => q.integer('size', 0, 0, 10), '[1.5] of parameter [size]'],
    ['/?size=11', (q: QueryParameters) => q.integer('size', 0, 0, 10), 'from 0 to 10'],
    ['/?v=yes', (q: QueryParameters) => q.flag('v', false), '[yes] of parameter [v]'],
    ['/?timeout=5', (q: QueryParameters) => q.timeMs('timeout', 0), 'parameter [timeout]'],
    ['/?level=x', (q: QueryParameters) => q.oneOf('level', 'a', ['a', 'b']), 'allowed: [a, b]'],
  ])('of a bad value are named with what is allowed: %s', (url, read, message) => {
    expect(() => read(of(url))).toThrow(message);
  });

  it('that nobody knows are an error that names the path and each of them', () => {
    expect(() => of('/_bulk?x=1').end()).toThrow('request [/_bulk] contains unrecognized parameter: [x]');
    expect(() => of('/_bulk?x=1&y').end()).toThrow('contains unrecognized parameters: [x], [y]');
  });

  it('that are not valid percent-encoding are an error', () => {
    expect(() => of('/?q=%zz')).toThrow('is not valid percent-encoding');
  });
});
