// Is this coordinator ready for work? A bus that is away only degrades it: it goes on with what it knows.

type Check = { readonly status: 'ok' | 'degraded' | 'failed'; readonly reason?: string };
export type Readiness = {
  readonly status: 'ready' | 'degraded' | 'not_ready';
  readonly checks: Readonly<Record<string, Check>>;
};

export type CoordinatorState = {
  /** The metadata was read from the bus at least once. */
  readonly metadataKnown: boolean;
  readonly busUp: boolean;
  readonly liveDataNodes: number;
  readonly stopping: boolean;
};

/** Not ready while it cannot route; overload is no reason, or a probe would make it worse. */
export function readinessOf(state: CoordinatorState): Readiness {
  const checks = {
    stopping: state.stopping ? failed('the coordinator is shutting down') : OK,
    metadata: state.metadataKnown ? OK : failed('the index metadata was not read from the bus yet'),
    bus: state.busUp ? OK : degraded('the bus does not answer: views, settings and metadata may be old'),
    data_nodes: state.liveDataNodes > 0 ? OK : degraded('no data node was heard of'),
  } satisfies Record<string, Check>;
  const all = Object.values<Check>(checks).map(({ status }) => status);
  const status = all.includes('failed') ? 'not_ready' : all.includes('degraded') ? 'degraded' : 'ready';
  return { status, checks };
}

const OK: Check = { status: 'ok' };

function failed(reason: string): Check {
  return { status: 'failed', reason };
}

function degraded(reason: string): Check {
  return { status: 'degraded', reason };
}
