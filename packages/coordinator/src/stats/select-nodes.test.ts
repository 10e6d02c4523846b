import { describe, expect, it } from '@jest/globals';
import { nodeSelector } from './select-nodes.ts';

const nodes = [
  { id: 'c0', name: 'coordinator', isSelf: true },
  { id: 'd1', name: 'dn1', isSelf: false },
  { id: 'd2', name: 'dn2', isSelf: false },
];
const names = (expression?: string) => nodes.filter(nodeSelector(expression)).map(({ name }) => name);

describe('a node expression', () => {
  it.each([
    [undefined, ['coordinator', 'dn1', 'dn2']],
    ['_all', ['coordinator', 'dn1', 'dn2']],
    ['_local', ['coordinator']],
    ['dn*', ['dn1', 'dn2']],
    ['d1,coordinator', ['coordinator', 'dn1']],
    ['data:true', ['dn1', 'dn2']],
    ['constructor', []],
  ])('%s', (expression, expected) => {
    expect(names(expression)).toEqual(expected);
  });
});
