import { describe, expect, it } from '@jest/globals';
import { filterPaths } from './filter-path.ts';

const body = {
  took: 3,
  errors: false,
  items: [{ index: { _id: '1', status: 201 } }, { delete: { _id: '2', status: 404 } }],
  nodes: { n1: { name: 'a', http: { publish_address: 'x' } } },
};

describe('filter_path', () => {
  it.each([
    ['took', { took: 3 }],
    ['items.*.status', { items: [{ index: { status: 201 } }, { delete: { status: 404 } }] }],
    ['items.index._id', { items: [{ index: { _id: '1' } }] }],
    ['nodes.*.http.publish_address', { nodes: { n1: { http: { publish_address: 'x' } } } }],
    ['**.name', { nodes: { n1: { name: 'a' } } }],
    ['**.**.name', { nodes: { n1: { name: 'a' } } }],
    ['**.http.**.publish_address', { nodes: { n1: { http: { publish_address: 'x' } } } }],
    ['nodes.**', { nodes: { n1: { name: 'a', http: { publish_address: 'x' } } } }],
    [
      '-**._id,-nodes',
      { took: 3, errors: false, items: [{ index: { status: 201 } }, { delete: { status: 404 } }] },
    ],
    ['e*', { errors: false }],
    ['-items,-nodes', { took: 3, errors: false }],
    ['items,-items.*.status', { items: [{ index: { _id: '1' } }, { delete: { _id: '2' } }] }],
    ['nothing', {}],
  ])('%s', (expression, expected) => {
    expect(filterPaths(body, expression)).toEqual(expected);
  });

  it('is quick with patterns made to be slow', () => {
    expect(filterPaths({ ['a'.repeat(10_000)]: 1 }, `${'a*'.repeat(5_000)}b`)).toEqual({});
    // Each `**` may stand for any depth: followed one by one, the ways through them would never end.
    const any = '**.'.repeat(5_000);
    expect(filterPaths(body, `${any}name,${any}x`)).toEqual({ nodes: { n1: { name: 'a' } } });
  });
});
