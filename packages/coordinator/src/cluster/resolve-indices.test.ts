import { describe, expect, it } from '@jest/globals';
import { sampleIndex, sampleIndices } from '../testing/sample-index.ts';
import { resolveIndices } from './resolve-indices.ts';

const topology = sampleIndices(sampleIndex('logs-b'), sampleIndex('logs-a'), sampleIndex('metrics'));
const names = (expression: string, ignoreUnavailable = false, allowNoIndices = true) =>
  resolveIndices(topology, expression, { ignoreUnavailable, allowNoIndices }).map((index) => index.name);

describe('an index expression', () => {
  it.each([
    ['metrics', ['metrics']],
    ['metrics,logs-a', ['metrics', 'logs-a']],
    ['logs-*', ['logs-a', 'logs-b']],
    ['_all', ['logs-a', 'logs-b', 'metrics']],
    ['*,-logs-*', ['metrics']],
    ['logs-*,metrics,logs-a', ['logs-a', 'logs-b', 'metrics']],
    ['nothing-*', []],
  ])('%s', (expression, expected) => {
    expect(names(expression)).toEqual(expected);
  });

  it('with a name that does not exist is a 404 that names it, unless that is to be ignored', () => {
    expect(() => names('logs-a,gone')).toThrow('no such index [gone]');
    expect(names('logs-a,gone', true)).toEqual(['logs-a']);
  });

  it('that matches nothing is a 404 where that is not allowed', () => {
    expect(() => names('mk-*', false, false)).toThrow('no such index [mk-*]');
  });
});
