// Is a coordinator in front of a cluster ready? Once it knew where the shards are; what is away later only degrades it.
import type { TopologyNode } from '../cluster/topology.ts';
import type { Readiness } from '../stats/readiness.ts';
import type { PictureStatus } from './opensearch-topology.ts';

export type FrontState = {
  readonly status: PictureStatus;
  readonly nodes: readonly TopologyNode[];
  readonly busUp: boolean;
  readonly stopping: boolean;
};

type Check = Readiness['checks'][string];

export function frontReadiness(state: FrontState): Readiness {
  const checks = {
    stopping: state.stopping ? failed('the coordinator is shutting down') : OK,
    cluster_state: clusterState(state.status),
    bus: state.busUp ? OK : degraded('the bus does not answer: views and settings may be old'),
    agents: agents(state.nodes),
  } satisfies Record<string, Check>;
  const all = Object.values<Check>(checks).map(({ status }) => status);
  const status = all.includes('failed') ? 'not_ready' : all.includes('degraded') ? 'degraded' : 'ready';
  return { status, checks };
}

const OK: Check = { status: 'ok' };

function clusterState({ known, ageMs, problem }: PictureStatus): Check {
  if (!known) return failed(`the state of OpenSearch was not read yet: ${problem ?? 'no answer'}`);
  if (problem === undefined) return OK;
  return degraded(`the state of OpenSearch is ${Math.round(ageMs ?? 0)} ms old: ${problem}`);
}

function agents(nodes: readonly TopologyNode[]): Check {
  const without = nodes.filter(({ address }) => address === '').map(({ name }) => name);
  if (without.length === 0) return OK;
  const shown = without.slice(0, 10).join(', ');
  return degraded(`${without.length} of ${nodes.length} nodes have no agent that was heard of: ${shown}`);
}

function failed(reason: string): Check {
  return { status: 'failed', reason };
}

function degraded(reason: string): Check {
  return { status: 'degraded', reason };
}
