// The permits this node has given for replicas' parts that are to come: each holds its bytes until it is used, given back, or out of time.
import type { ReserveRequest, Rng, Timers } from '@weir/shared';
import type { Guard, Refused } from './admit-shard.ts';

export type ReplicaPermitsPorts = {
  readonly guard: Pick<Guard, 'admit'>;
  readonly timers: Timers;
  readonly rng: Rng;
  /** No permit is held longer, whatever its asker says. */
  readonly longestMs: number;
};

export type Granted = { readonly outcome: 'granted'; readonly permit: string };

export class ReplicaPermits {
  readonly #ports: ReplicaPermitsPorts;
  readonly #held = new Map<string, () => void>();

  constructor(ports: ReplicaPermitsPorts) {
    this.#ports = ports;
  }

  /** Judged at the replica limit, as the part itself would be. */
  grant(request: ReserveRequest): Promise<Granted | Refused> {
    const { index, shard, operations, bytes, digest, request_id: requestId, bulk_id: bulkId } = request;
    const permit = this.#ports.rng.bytes(12).toString('base64url');
    const role = 'replica' as const;
    const work = {
      ...{ role, bytes, bulkId, forced: false, subject: { index, shard, digest: () => digest } },
      context: {
        ...{ role, index, shard, operations, bytes, requestId },
        ...{ opaqueId: undefined, traceId: undefined },
      },
    };
    return new Promise((resolve, reject) => {
      this.#ports.guard
        .admit(work, () => {
          resolve({ outcome: 'granted', permit });
          return this.#hold(permit, Math.min(request.hold_ms, this.#ports.longestMs));
        })
        .then((refused) => {
          if (refused !== undefined) resolve(refused);
        }, reject);
    });
  }

  /** A part comes with permits of several nodes. True when one of them is held here: it ends, and the part takes its place. */
  use(permits: string | readonly string[] | undefined): boolean {
    return String(permits ?? '')
      .split(',')
      .some((permit) => this.release(permit));
  }

  /** True when the permit was held until now. */
  release(permit: string): boolean {
    const end = this.#held.get(permit);
    end?.();
    return end !== undefined;
  }

  close(): void {
    for (const end of this.#held.values()) end();
  }

  #hold(permit: string, holdMs: number): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        cancel();
        this.#held.delete(permit);
        resolve();
      };
      const cancel = this.#ports.timers.after(holdMs, end);
      this.#held.set(permit, end);
    });
  }
}
