// The bytes one request holds at this coordinator: taken before memory is, refused while nothing of the request has run.
import { crc32 } from 'node:zlib';
import { type Release, retryAfterMs, WeirError } from '@weir/shared';
import type { BodyBudget } from './body-buffer.ts';
import type { BulkDependencies } from './bulk-dependencies.ts';
import { refusalFailure } from './refusal-item.ts';
import type { RequestIdentity } from './request-identity.ts';
import { WholeRefusal } from './whole-refusal.ts';

type Ports = Pick<BulkDependencies, 'pressure' | 'recorder' | 'settings' | 'name'>;

export class CoordinatorBytes implements BodyBudget {
  readonly #ports: Ports;
  readonly #identity: RequestIdentity;
  readonly #index: string;
  readonly #releases: Release[] = [];
  #heldBytes = 0;

  /** `index`: what the path names, for the log; empty where it names none. */
  constructor(ports: Ports, identity: RequestIdentity, index: string) {
    this.#ports = ports;
    this.#identity = identity;
    this.#index = index;
  }

  /** Takes more, or throws: 429 with the whole request unanswered otherwise, 413 where the request alone is over the limit. */
  take(bytes: number): void {
    if (bytes === 0) return;
    const { pressure } = this.#ports;
    const acquired = pressure.acquire('coordinating', bytes);
    if (!acquired.ok) throw this.#refusal(acquired.inFlightBytes, bytes, acquired.limitBytes);
    this.#releases.push(acquired.release);
    this.#heldBytes += bytes;
  }

  /** Refuses a body by its declared length before any of it is read; takes nothing. */
  announce(bytes: number): void {
    if (!this.#ports.pressure.fits('coordinating', bytes)) this.take(bytes);
  }

  /** Gives everything back; calling it again does nothing. */
  release(): void {
    for (const release of this.#releases.splice(0)) release();
    this.#heldBytes = 0;
  }

  #refusal(inFlightBytes: number, addedBytes: number, limitBytes: number): Error {
    const { recorder, settings, name } = this.#ports;
    const neededBytes = this.#heldBytes + addedBytes;
    if (neededBytes > limitBytes)
      return new WeirError(
        'too_large',
        `request of ${neededBytes} bytes is over the limit [weir.indexing_pressure.limit] of ${limitBytes} bytes at this coordinator and can never pass`,
        { fields: { limit_bytes: limitBytes } },
      );
    const current = settings();
    const evidence = {
      reason: 'coordinator_bytes',
      role: 'coordinator',
      node: name,
      signal: 'bytes',
      value: inFlightBytes + addedBytes,
      limit: limitBytes,
      stress: 1,
      ageMs: 0,
      retryAfterMs: retryAfterMs(Number.NaN, crc32(this.#identity.requestId), current),
    } as const;
    const context = { role: 'coordinator', index: this.#index, shard: undefined, operations: 0 } as const;
    const decisionId = recorder.record(
      { kind: 'refuse', evidence },
      { ...context, ...this.#identity, bytes: addedBytes, settingsVersion: current.version },
    );
    const subject = 'request';
    return new WholeRefusal(
      refusalFailure({ evidence, subject, bytes: addedBytes, permanent: false, decisionId }),
    );
  }
}
