// The guard: may this request touch the node? Decided once, before its first side effect; only here an admitted request is made.
// Why: a coordinator's view can be stale, and a node has to be safe without any coordinator and without Redis.
// Refuses when: the node's own signals say so for the role, it drains, its disk is full, or the bytes in flight would pass their limit.
// Cold start: unknown signals never refuse; the byte limit holds from the first request on.
// Recovers when: stress ends, space is freed, requests in flight end. Health, settings and recovery never come this way.
import { crc32 } from 'node:zlib';
import {
  ADMIT,
  type Clock,
  type DecisionContext,
  type DecisionRecorder,
  decideNode,
  digestOf,
  type EffectiveSettings,
  type Evidence,
  type IndexingPressure,
  momentOf,
  type NodeStress,
  type ReplicaRequest,
  retryAfterMs,
  type Verdict,
} from '@weir/shared';
import type { Admitted, AdmittedReplicaRequest } from './admitted.ts';
import type { JudgedRequest } from './judged-request.ts';

type NodeRole = 'primary' | 'replica';

/** What the guard looks at; all of it is at hand, nothing is measured or waited for. */
export type GuardPorts = {
  /** Name of this node. */
  readonly node: string;
  readonly clock: Clock;
  /** Secret number of the cluster for the shedding hash. */
  readonly salt: number;
  readonly settings: () => EffectiveSettings;
  /** For a part of this bulk. */
  readonly stressOf: (role: NodeRole, bulk?: string) => NodeStress;
  readonly pressure: IndexingPressure;
  readonly recorder: DecisionRecorder;
  readonly isDraining: () => boolean;
  /** Bytes free on the data path; undefined while unknown. */
  readonly freeDiskBytes: () => number | undefined;
};

/** The request had no effect here. `permanent`: alone over the byte limit, it can never pass. */
export type Refused = {
  readonly outcome: 'refused';
  readonly evidence: Evidence;
  readonly permanent: boolean;
  readonly decisionId: string;
};

/** What is judged: a shard request, or any request of an embedding service. */
export type GuardedWork = {
  readonly role: NodeRole;
  readonly bytes: number;
  /** Goes through whatever the limits say; its bytes are counted all the same. */
  readonly forced: boolean;
  readonly subject: { readonly index: string; readonly shard: number; digest(): number };
  /** The client's request it is a part of: its parts do not wait for each other. */
  readonly bulkId?: string | undefined;
  readonly context: Omit<DecisionContext, 'settingsVersion'>;
};

/** A write takes its own bytes, as many again in the write-ahead log, and the engine needs room to reopen: 64 MiB. */
const DISK_RESERVE_BYTES = 64 * 1024 * 1024;

export class Guard {
  readonly #ports: GuardPorts;

  constructor(ports: GuardPorts) {
    this.#ports = ports;
  }

  /** Runs `run` once with the admitted request while its bytes are held, or refuses and never runs it. */
  primary<Request extends JudgedRequest, T>(
    request: Request,
    run: (admitted: Admitted<Request>) => Promise<T>,
  ): Promise<T | Refused> {
    const { index, shard, operationCount, bytes, bulkId, requestId, opaqueId, traceId } = request;
    return this.admit(
      {
        role: 'primary',
        bytes,
        forced: false,
        subject: { index, shard, digest: request.contentDigest },
        bulkId,
        context: {
          role: 'primary',
          index,
          shard,
          operations: operationCount,
          bytes,
          requestId,
          opaqueId,
          traceId,
        },
      },
      () => run(request as Admitted<Request>),
    );
  }

  /** The same for a replica's part. `letPass`: its primary decided that the write goes through here whatever the limits say. */
  replica<T>(
    request: ReplicaRequest,
    letPass: boolean,
    run: (admitted: AdmittedReplicaRequest) => Promise<T>,
  ): Promise<T | Refused> {
    const { index, shard, operations, bytes, bulkId, requestId } = request;
    const digest = () => digestOf(operations.map((operation) => ({ ...operation, autoId: false })));
    const rest = { opaqueId: undefined, traceId: undefined };
    return this.admit(
      {
        role: 'replica',
        bytes,
        forced: letPass,
        subject: { index, shard, digest },
        bulkId,
        context: { role: 'replica', index, shard, operations: operations.length, bytes, requestId, ...rest },
      },
      () => run(request as AdmittedReplicaRequest),
    );
  }

  /** Bytes are taken last and given back here, however the work ends; where they stand in the way they are charged before all else. */
  async admit<T>(work: GuardedWork, run: () => Promise<T>): Promise<T | Refused> {
    const { pressure, recorder, settings } = this.#ports;
    const fits = work.forced || pressure.fits(work.role, work.bytes);
    const verdict = fits && !work.forced ? this.#judge(work) : ADMIT;
    if (verdict.kind === 'refuse') return this.#refused(work, verdict.evidence, false);
    const permit = pressure.acquire(work.role, work.bytes, { forced: work.forced });
    if (!permit.ok) {
      const { inFlightBytes, limitBytes, permanent } = permit;
      const value = permanent ? work.bytes : inFlightBytes + work.bytes;
      const reason = `${work.role}_bytes` as const;
      return this.#refused(work, this.#evidence(work, reason, 'bytes', value, limitBytes), permanent);
    }
    try {
      recorder.record(verdict, { ...work.context, settingsVersion: settings().version });
      return await run();
    } finally {
      permit.release();
    }
  }

  /** The node's own signals, then whether it drains, then its disk. */
  #judge(work: GuardedWork): Verdict {
    const { clock, salt, settings, stressOf, node, isDraining, freeDiskBytes } = this.#ports;
    const moment = momentOf(clock, settings(), salt);
    const verdict = decideNode(
      work.role,
      work.subject,
      { name: node, stress: stressOf(work.role, work.bulkId) },
      moment,
    );
    if (verdict.kind === 'refuse') return verdict;
    // A replica's part is the rest of a write that another node has begun: it is taken until the port closes.
    if (work.role === 'primary' && isDraining())
      return { kind: 'refuse', evidence: this.#evidence(work, 'draining', 'none', 0, 0) };
    const freeBytes = freeDiskBytes();
    const neededBytes = work.bytes + DISK_RESERVE_BYTES;
    if (freeBytes !== undefined && freeBytes < neededBytes)
      return { kind: 'refuse', evidence: this.#evidence(work, 'disk_full', 'none', freeBytes, neededBytes) };
    return verdict;
  }

  #evidence(
    work: GuardedWork,
    reason: Evidence['reason'],
    signal: Evidence['signal'],
    value: number,
    limit: number,
  ): Evidence {
    // No digest here: a request that is refused for its size must not first be read through once more.
    const spread = crc32(work.context.requestId);
    return {
      reason,
      role: work.role,
      node: this.#ports.node,
      signal,
      value,
      limit,
      stress: 1,
      ageMs: 0,
      retryAfterMs: retryAfterMs(Number.NaN, spread, this.#ports.settings()),
    };
  }

  #refused(work: GuardedWork, evidence: Evidence, permanent: boolean): Refused {
    const context = { ...work.context, settingsVersion: this.#ports.settings().version };
    const decisionId = this.#ports.recorder.record({ kind: 'refuse', evidence }, context);
    return { outcome: 'refused', evidence, permanent, decisionId };
  }
}
