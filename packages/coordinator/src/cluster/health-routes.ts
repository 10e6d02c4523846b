// `_cluster/health`: tells the state of the cluster, at once or as soon as it is what the caller waits for.
import { type RouteSpec, route, WeirError } from '@weir/shared';
import type { Request, Response } from 'express';
import { QueryParameters } from '../http/query-parameters.ts';
import { type ClusterFacts, liveNodes } from './cluster-facts.ts';
import { HEALTH_LEVELS, type Health, type HealthFacts, healthBody, isAtLeast } from './cluster-health.ts';
import { indexOptions, isPattern, LENIENT, resolveIndices } from './resolve-indices.ts';
import { nodesCondition } from './wait-for-nodes.ts';

/** Metadata and nodes change without telling the waiting; this often they are looked at. */
const LOOK_EVERY_MS = 50;

type Body = ReturnType<typeof healthBody>;
type Ready = (body: Body) => boolean;

export function healthRoutes(facts: ClusterFacts): readonly RouteSpec[] {
  const health = (request: Request, response: Response) => answerHealth(request, response, facts);
  return [route('GET', '/_cluster/health', health), route('GET', '/_cluster/health/:index', health)];
}

async function answerHealth(request: Request, response: Response, facts: ClusterFacts): Promise<void> {
  const query = new QueryParameters(request);
  const level = query.oneOf('level', 'cluster', ['cluster', 'indices', 'shards'] as const);
  const timeoutMs = query.timeMs('timeout', 30_000);
  const ready = readiness(query);
  const expression = request.params['index'];
  indexOptions(query);
  query.accept('local', 'master_timeout', 'cluster_manager_timeout', 'wait_for_events');
  query.accept('wait_for_no_relocating_shards', 'wait_for_no_initializing_shards');
  query.end();
  const look = () => healthFacts(facts, typeof expression === 'string' ? expression : '_all');
  // An index that is asked for by name is waited for, whatever else is.
  const isMet = () => {
    const now = look();
    return !now.missingIndex && ready(healthBody(now, false, level));
  };
  const isReady = await waitUntil(isMet, timeoutMs, response, facts);
  response.status(isReady ? 200 : 408).json(healthBody(look(), !isReady, level));
}

/** Whether the wait ended because of the condition; also ends when the client is gone. */
function waitUntil(
  condition: () => boolean,
  timeoutMs: number,
  response: Response,
  { clock, timers }: ClusterFacts,
): Promise<boolean> {
  if (condition()) return Promise.resolve(true);
  const untilMs = clock.nowMs() + timeoutMs;
  return new Promise((resolve) => {
    const cancel = timers.every(LOOK_EVERY_MS, () => {
      const met = condition();
      if (!met && clock.nowMs() < untilMs && !response.destroyed) return;
      cancel();
      resolve(met);
    });
  });
}

/** All that the query string waits for. */
function readiness(query: QueryParameters): Ready {
  const status = query.text('wait_for_status');
  const nodes = query.text('wait_for_nodes');
  const active = query.text('wait_for_active_shards');
  const wanted: Ready[] = [];
  if (status !== undefined) wanted.push(statusReady(status));
  if (nodes !== undefined) {
    const condition = nodesCondition(nodes);
    wanted.push((body) => condition(Number(body['number_of_nodes'])));
  }
  if (active !== undefined) wanted.push(activeReady(active));
  return (body) => wanted.every((ready) => ready(body));
}

function statusReady(status: string): Ready {
  const wanted = HEALTH_LEVELS.find((level) => level === status.toLowerCase());
  if (wanted === undefined)
    throw new WeirError(
      'illegal_argument',
      `Failed to parse value [${status}] of parameter [wait_for_status], allowed: [${HEALTH_LEVELS.join(', ')}]`,
    );
  return (body) => isAtLeast(body['status'] as Health, wanted);
}

function activeReady(active: string): Ready {
  if (active === 'all') return (body) => body['unassigned_shards'] === 0;
  if (!/^\d{1,6}$/.test(active))
    throw new WeirError(
      'illegal_argument',
      `Failed to parse value [${active}] of parameter [wait_for_active_shards], allowed: [all] or a number`,
    );
  return (body) => Number(body['active_shards']) >= Number(active);
}

/** Health is always told, so a name that is missing makes it red instead of an error. */
function healthFacts(facts: ClusterFacts, expression: string): HealthFacts {
  const names = expression.split(',').filter((name) => name !== '' && !isPattern(name));
  const dataNodes = liveNodes(facts).length;
  return {
    clusterName: facts.clusterName,
    indices: resolveIndices(facts.topology, expression, LENIENT),
    missingIndex: names.some((name) => facts.topology.index(name) === undefined),
    nodes: dataNodes + 1,
    dataNodes,
    isLive: facts.isLive,
  };
}
