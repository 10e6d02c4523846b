import { describe, expect, it } from '@jest/globals';
import { sampleIndex } from '../testing/sample-index.ts';
import { healthBody, indexHealth, isAtLeast } from './cluster-health.ts';
import { nodesCondition } from './wait-for-nodes.ts';

const all = () => true;

describe('health', () => {
  it('is green while every copy serves', () => {
    const index = sampleIndex('a', { shards: 2, replicas: 1, nodes: ['n1', 'n2'] });
    expect(indexHealth(index, all)).toMatchObject({ status: 'green', active: 4, unassigned: 0 });
  });

  it('is yellow while a replica is missing, never placed or on a node that is gone', () => {
    expect(indexHealth(sampleIndex('a', { replicas: 1 }), all)).toMatchObject({
      status: 'yellow',
      unassigned: 1,
    });
    const index = sampleIndex('a', { replicas: 1, nodes: ['n1', 'n2'] });
    expect(indexHealth(index, (node) => node !== 'n2').status).toBe('yellow');
  });

  it('is red while a primary does not serve', () => {
    const index = sampleIndex('a', { replicas: 1, nodes: ['n1', 'n2'] });
    expect(indexHealth(index, (node) => node !== 'n1')).toMatchObject({ status: 'red', activePrimaries: 0 });
  });

  it("has OpenSearch's fields, and the indices at their level", () => {
    const facts = {
      clusterName: 'weir',
      indices: [sampleIndex('a', { replicas: 1 })],
      missingIndex: false,
      nodes: 2,
      dataNodes: 1,
      isLive: all,
    };
    expect(healthBody(facts, false, 'shards')).toMatchObject({
      cluster_name: 'weir',
      status: 'yellow',
      timed_out: false,
      number_of_nodes: 2,
      number_of_data_nodes: 1,
      active_primary_shards: 1,
      active_shards: 1,
      unassigned_shards: 1,
      active_shards_percent_as_number: 50,
      indices: { a: { status: 'yellow', shards: { '0': { primary_active: true, unassigned_shards: 1 } } } },
    });
    expect(healthBody({ ...facts, missingIndex: true }, true, 'cluster')).toMatchObject({
      status: 'red',
      timed_out: true,
    });
  });

  it('that is better than wanted is good enough', () => {
    expect([isAtLeast('green', 'yellow'), isAtLeast('yellow', 'yellow'), isAtLeast('red', 'yellow')]).toEqual(
      [true, true, false],
    );
  });
});

describe('wait_for_nodes', () => {
  it.each([
    ['>=1', [false, true, true]],
    ['1', [false, true, false]],
    ['<2', [true, true, false]],
    ['gt(1)', [false, false, true]],
    ['<=0', [true, false, false]],
  ])('%s', (expression, expected) => {
    expect([0, 1, 2].map(nodesCondition(expression))).toEqual(expected);
  });

  it('names an expression that is none', () => {
    expect(() => nodesCondition('many')).toThrow('[many] of parameter [wait_for_nodes]');
  });
});
