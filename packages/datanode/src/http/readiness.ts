// Is this node ready for work, and what is it not happy with? A bus that is away only degrades it: it goes on with what it knows.

type Check = { readonly status: 'ok' | 'degraded' | 'failed'; readonly reason?: string };
export type Readiness = { readonly ready: boolean; readonly checks: Readonly<Record<string, Check>> };

export type NodeState = {
  /** Why the engine has stopped for good; undefined while it works. */
  readonly engineFailure: string | undefined;
  /** The metadata was read from the bus, or from this node's disk, at least once. */
  readonly metadataKnown: boolean;
  readonly draining: boolean;
  readonly busUp: boolean;
};

/** Ready unless something failed. */
export function readinessOf({ engineFailure, metadataKnown, draining, busUp }: NodeState): Readiness {
  const checks = {
    engine: failedUnless(engineFailure === undefined, engineFailure ?? ''),
    metadata: failedUnless(metadataKnown, 'the index metadata is not known yet'),
    draining: failedUnless(!draining, 'the node is shutting down'),
    bus: busUp
      ? OK
      : { status: 'degraded', reason: 'the bus does not answer; metadata and settings may be old' },
  } satisfies Record<string, Check>;
  return { ready: Object.values<Check>(checks).every(({ status }) => status !== 'failed'), checks };
}

const OK = { status: 'ok' } as const;

function failedUnless(fine: boolean, reason: string): Check {
  return fine ? OK : { status: 'failed', reason };
}
