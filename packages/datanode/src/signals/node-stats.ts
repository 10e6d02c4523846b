// What does this node say of itself now? The same reading for the feed and for the answer to every shard request.
import type { Clock, NodeStats, PressureReport, SignalReadings } from '@weir/shared';
import type { WorkStanding } from './work-tracker.ts';

/** The parts a reading is made of; none of them is measured here. */
export type NodeStatsPorts = {
  readonly identity: { readonly id: string; readonly name: string; readonly bootId: string };
  /** Empty until the node listens. */
  readonly address: () => string;
  readonly clock: Clock;
  readonly signals: () => SignalReadings;
  readonly work: () => WorkStanding;
  readonly pressure: () => PressureReport;
  readonly isDraining: () => boolean;
  readonly settingsVersion: () => number;
};

/** Answers carry no more readings than the densest feed would (weir.stats.interval has 100 ms as its least), while nothing ends here. */
const FRESH_MS = 100;
/**
 * After work has ended a reading is soon old: its reader, who cannot know its age, would take what has just ended for waiting. One client that
 * sent one large bulk after the other was refused by its own last one.
 */
const FRESH_AFTER_END_MS = 10;

/** Numbers the readings of this boot. */
export class NodeStatsSource {
  readonly #ports: NodeStatsPorts;
  #seq = 0;
  #newest: NodeStats | undefined;
  #takenMs = 0;

  constructor(ports: NodeStatsPorts) {
    this.#ports = ports;
  }

  /**
   * The newest reading: at most 100 ms old, 10 ms once work has ended, and none that shows a long wait where all is done since. Cheap enough for
   * every answer.
   */
  newest(): NodeStats {
    const known = this.#newest;
    if (known === undefined) return this.take();
    const { work, completedTotal } = this.#ports.work();
    // Old by a few ms, but what it says has waited long: the next large bulk would be refused by the last parts of the one before.
    if (work === 0 && known.work > 0 && known.oldest_waiting_ms > FRESH_MS) return this.take();
    const workEnded = completedTotal !== known.completed_total;
    const fresh = this.#ports.clock.nowMs() - this.#takenMs < (workEnded ? FRESH_AFTER_END_MS : FRESH_MS);
    return fresh ? known : this.take();
  }

  /** A new reading with the next number. */
  take(): NodeStats {
    const { identity, address, clock, signals, isDraining, settingsVersion } = this.#ports;
    const { work, operationsWaiting, oldestWaitingMs, drainPerS, acceptedTotal, completedTotal } =
      this.#ports.work();
    const { currentBytes, limits } = this.#ports.pressure();
    this.#seq += 1;
    this.#takenMs = clock.nowMs();
    this.#newest = {
      id: identity.id,
      name: identity.name,
      address: address(),
      boot_id: identity.bootId,
      seq: this.#seq,
      draining: isDraining(),
      signals: rounded(signals()),
      work: hundredths(work),
      operations_waiting: operationsWaiting,
      oldest_waiting_ms: hundredths(oldestWaitingMs),
      drain_per_s: drainPerS === null ? null : hundredths(drainPerS),
      accepted_total: hundredths(acceptedTotal),
      completed_total: completedTotal,
      in_flight_bytes: currentBytes,
      limit_bytes: limits,
      settings_version: settingsVersion(),
    };
    return this.#newest;
  }
}

/** More digits than hundredths say nothing and double the length of a message. */
function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}

function rounded(readings: SignalReadings): NodeStats['signals'] {
  return Object.fromEntries(
    Object.entries(readings).flatMap(([signal, reading]) =>
      reading === undefined
        ? []
        : [[signal, { ...reading, fast: hundredths(reading.fast), slow: hundredths(reading.slow) }]],
    ),
  );
}
