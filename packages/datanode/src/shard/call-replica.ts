// Brings a write to one replica, trying again as long as that is of use: applied, lost, or told that this node is no longer the primary.
import { STATUS_CODES } from 'node:http';
import {
  type Clock,
  type CopyMetadata,
  type EffectiveSettings,
  ERROR_CODES,
  type Evidence,
  type HttpClient,
  INTERNAL_PATHS,
  parseShardAnswer,
  type Rng,
  type ShardAnswer,
  type Timers,
  toWeirError,
  WeirError,
} from '@weir/shared';
import { pause } from './pause.ts';
import { retryDelayMs } from './retry-delays.ts';

/** Where a node is reached. */
export type Peer = {
  readonly name: string;
  readonly address: string;
  /** Whether it was heard since this node started. */
  readonly isHeard: boolean;
};

export type ReplicaPorts = {
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly rng: Rng;
  readonly settings: () => EffectiveSettings;
  /** A data node by id; undefined while nothing was heard of it. */
  readonly peer: (nodeId: string) => Peer | undefined;
  /** Sent with every call between nodes. */
  readonly headers: Readonly<Record<string, string>>;
  /** How long a replica may take, all tries together; refusals have a time of their own in the settings. */
  readonly replicaTimeoutMs: number;
  /** Aborted when this node stops: what is not settled by then is not acknowledged. */
  readonly closing: AbortSignal;
};

/** How it ended. Only `applied` may be acknowledged without a change of the in-sync set. */
export type ReplicaFate =
  | { readonly kind: 'applied' }
  /** Given up; `status` by its HTTP name. */
  | { readonly kind: 'lost'; readonly status: string; readonly type: string; readonly reason: string }
  /** The replica knows a newer primary. */
  | { readonly kind: 'stale'; readonly reason: string }
  | { readonly kind: 'unsettled'; readonly reason: string };

/**
 * Tries after a failure that is no refusal: enough for a listener that restarts or metadata on its way. Each has its part of the replica's
 * time, and closes its socket at the end of it, so that all of them are over while the primary's own time still runs.
 */
const TRIES_WHEN_BROKEN = 3;

/** A peer that was heard and then takes no connections may be restarting: it is waited for this long. */
const RESTART_MS = 10_000;

/** How a try ended; `unreached`: nothing was sent, as the peer takes no connections or is not known. */
type Tried =
  | ShardAnswer
  | { readonly outcome: 'unreached'; readonly error: WeirError; readonly isHeard: boolean };

type Step = { readonly fate: ReplicaFate } | { readonly waitMs: number };

/** Sends `frame` to the copy's node until its fate is settled. */
export async function callReplica(
  copy: CopyMetadata,
  frame: Buffer,
  ports: ReplicaPorts,
): Promise<ReplicaFate> {
  const retries = new Retries(ports);
  for (;;) {
    const answer = await tryOnce(copy, frame, retries.letPass, ports);
    if (ports.closing.aborted && answer.outcome !== 'applied')
      return { kind: 'unsettled', reason: 'this node is stopping' };
    const step = retries.next(answer);
    if ('fate' in step) return step.fate;
    await pause(step.waitMs, ports.timers, ports.closing);
  }
}

/** What was tried so far, and what follows from the next answer. */
class Retries {
  readonly #ports: ReplicaPorts;
  #broken = 0;
  #unreached = 0;
  #unreachedSinceMs: number | undefined;
  #refused = 0;
  #refusedSinceMs: number | undefined;
  letPass = false;

  constructor(ports: ReplicaPorts) {
    this.#ports = ports;
  }

  next(answer: Tried): Step {
    switch (answer.outcome) {
      case 'applied':
        return { fate: { kind: 'applied' } };
      case 'refused':
        return this.#afterRefusal(answer.evidence, answer.permanent);
      case 'unreached':
        return this.#afterSilence(answer.error, answer.isHeard);
      case 'failed':
        if (answer.code === 'version_conflict') return { fate: { kind: 'stale', reason: answer.message } };
        return this.#afterFailure(new WeirError(answer.code, answer.message));
    }
  }

  /**
   * Nodes of a cluster that was restarted come up one after the other, and a copy that is given up has no way back: a peer that was not heard yet
   * is waited for as long as leaves time for one last try.
   */
  #afterSilence(error: WeirError, isHeard: boolean): Step {
    const nowMs = this.#ports.clock.nowMs();
    this.#unreachedSinceMs ??= nowMs;
    const longestMs = this.#ports.replicaTimeoutMs - tryTimeoutMs(this.#ports);
    const limitMs = isHeard ? Math.min(RESTART_MS, longestMs) : longestMs;
    const leftMs = limitMs - (nowMs - this.#unreachedSinceMs);
    if (leftMs <= 0) return { fate: lost(error.status, error.type, error.message) };
    this.#unreached += 1;
    return { waitMs: Math.min(retryDelayMs(this.#unreached - 1, this.#ports.rng), leftMs) };
  }

  #afterFailure(error: WeirError): Step {
    this.#broken += 1;
    if (this.#broken < TRIES_WHEN_BROKEN) return { waitMs: retryDelayMs(this.#broken - 1, this.#ports.rng) };
    return { fate: lost(error.status, error.type, error.message) };
  }

  #afterRefusal(evidence: Evidence, permanent: boolean): Step {
    const { onReplicaRefusal, retryTimeoutMs } = this.#ports.settings().replication;
    // What is too large for ever (an update can make large documents of a small request) is applied here already: no copy is given up for it.
    if ((permanent || onReplicaRefusal === 'let_pass') && !this.letPass) {
      this.letPass = true;
      return { waitMs: 0 };
    }
    const nowMs = this.#ports.clock.nowMs();
    this.#refusedSinceMs ??= nowMs;
    const leftMs = retryTimeoutMs - (nowMs - this.#refusedSinceMs);
    if (onReplicaRefusal === 'fail_copy' || leftMs <= 0) return { fate: lostTo(evidence) };
    this.#refused += 1;
    return { waitMs: Math.min(retryDelayMs(this.#refused - 1, this.#ports.rng), leftMs) };
  }
}

function lostTo({ reason, node, signal, value, limit }: Evidence): ReplicaFate {
  const text = `replica on [${node}] refused: ${reason}, ${signal} ${Math.round(value)}, limit ${Math.round(limit)}`;
  return lost(429, ERROR_CODES.rejected.type, text);
}

function lost(status: number, type: string, reason: string): ReplicaFate {
  const name = (STATUS_CODES[status] ?? 'Internal Server Error').toUpperCase().replaceAll(/[^A-Z]+/g, '_');
  return { kind: 'lost', status: name, type, reason };
}

/** How long one try may take; the replica is told so. */
export function tryTimeoutMs({ replicaTimeoutMs }: Pick<ReplicaPorts, 'replicaTimeoutMs'>): number {
  return replicaTimeoutMs / TRIES_WHEN_BROKEN;
}

/** What breaks off or answers nonsense counts as a failed answer. */
async function tryOnce(
  copy: CopyMetadata,
  frame: Buffer,
  letPass: boolean,
  ports: ReplicaPorts,
): Promise<Tried> {
  const peer = ports.peer(copy.node);
  if (peer === undefined) {
    const error = new WeirError('unavailable', `node [${copy.node}] is not known`);
    return { outcome: 'unreached', error, isHeard: false };
  }
  try {
    const { status, body } = await ports.http.call({
      origin: peer.address,
      path: `${INTERNAL_PATHS.replica}${letPass ? '?let_pass=true' : ''}`,
      method: 'POST',
      headers: { ...ports.headers, 'content-type': 'application/octet-stream' },
      body: frame,
      timeoutMs: tryTimeoutMs(ports),
    });
    const message = `node [${peer.name}] answered ${status} to a replica's part`;
    return parseShardAnswer(body) ?? { outcome: 'failed', code: 'bad_gateway', message };
  } catch (thrown) {
    const error = toWeirError(thrown);
    if (error.fields['sent'] === false) return { outcome: 'unreached', error, isHeard: peer.isHeard };
    return { outcome: 'failed', code: error.code, message: error.message };
  }
}
