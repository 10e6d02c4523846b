// Is an agent ready, and what is it not happy with? Without its node it is not; a bus that is away only degrades it.
import type { Readiness } from '../http/readiness.ts';

export type AgentState = {
  /** The node has said who it is. */
  readonly nodeKnown: boolean;
  readonly nodeIsThere: boolean;
  /** Why the node's last answer is missing; undefined when it is not. */
  readonly problem: string | undefined;
  readonly draining: boolean;
  readonly busUp: boolean;
};

type Check = Readiness['checks'][string];

export function agentReadiness({ nodeKnown, nodeIsThere, problem, draining, busUp }: AgentState): Readiness {
  const usable = nodeKnown && nodeIsThere;
  const checks = {
    node: !usable
      ? failed(`the OpenSearch node beside this agent does not answer: ${problem ?? 'unknown'}`)
      : problem === undefined
        ? OK
        : degraded(`the OpenSearch node does not tell how it is: ${problem}`),
    draining: draining ? failed('the agent is shutting down') : OK,
    bus: busUp ? OK : degraded('the bus does not answer; settings may be old'),
  } satisfies Record<string, Check>;
  return { ready: Object.values<Check>(checks).every(({ status }) => status !== 'failed'), checks };
}

const OK: Check = { status: 'ok' };

function failed(reason: string): Check {
  return { status: 'failed', reason };
}

function degraded(reason: string): Check {
  return { status: 'degraded', reason };
}
