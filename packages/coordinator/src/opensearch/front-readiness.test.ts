import { describe, expect, it } from '@jest/globals';
import { frontReadiness } from './front-readiness.ts';

const fine = {
  status: { known: true, ageMs: 10, version: 1, problem: undefined },
  nodes: [{ id: 'a', name: 'n1', address: 'http://a' }],
  busUp: true,
  stopping: false,
};

describe('readiness in front of a cluster', () => {
  it('is ready when nothing is missing', () => {
    expect(frontReadiness(fine).status).toBe('ready');
  });

  it('is not ready before it knew where the shards are, nor while stopping', () => {
    const unknown = { known: false, ageMs: undefined, version: undefined, problem: 'ECONNREFUSED' };
    const { status, checks } = frontReadiness({ ...fine, status: unknown, nodes: [] });
    expect([status, checks['cluster_state']?.reason]).toEqual([
      'not_ready',
      'the state of OpenSearch was not read yet: ECONNREFUSED',
    ]);
    expect(frontReadiness({ ...fine, stopping: true }).status).toBe('not_ready');
  });

  it('is only degraded by an old state, nodes without agents and a bus that is away, and names them', () => {
    const old = frontReadiness({ ...fine, status: { ...fine.status, ageMs: 7_000, problem: 'no answer' } });
    expect([old.status, old.checks['cluster_state']?.reason]).toEqual([
      'degraded',
      'the state of OpenSearch is 7000 ms old: no answer',
    ]);
    const bare = frontReadiness({ ...fine, nodes: [...fine.nodes, { id: 'b', name: 'n2', address: '' }] });
    expect([bare.status, bare.checks['agents']?.reason]).toEqual([
      'degraded',
      '1 of 2 nodes have no agent that was heard of: n2',
    ]);
    expect(frontReadiness({ ...fine, busUp: false }).status).toBe('degraded');
  });
});
