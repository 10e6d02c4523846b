import { describe, expect, it } from '@jest/globals';
import { withoutShaping } from './query-shaping.ts';

describe('a query without what shapes the answer', () => {
  it.each([
    ['/_bulk', '/_bulk'],
    ['/_bulk?pretty', '/_bulk'],
    ['/a%2Fb/_bulk?filter_path=items.*&refresh&pretty=true&q=%zz', '/a%2Fb/_bulk?refresh&q=%zz'],
    ['/_bulk?filter%5Fpath=took', '/_bulk'],
    ['/_bulk?timeout=1m&error_trace', '/_bulk?timeout=1m&error_trace'],
    ['/_bulk?', '/_bulk?'],
  ])('%s is %s', (target, left) => {
    expect(withoutShaping(target)).toBe(left);
  });
});
