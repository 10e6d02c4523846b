// Watches this node and tells the others: samples, numbered readings, and beats at once when something changes.
import type {
  BoundedWarnings,
  Bus,
  Clock,
  EffectiveSettings,
  IndexingPressure,
  Release,
  Rng,
  SettingsStore,
  Timers,
} from '@weir/shared';
import type { OwnSignals } from './own-signals.ts';
import { NodeStatsSource } from './signals/node-stats.ts';
import { type Beat, StatsPublisher } from './signals/publish-stats.ts';
import { StressWatch } from './signals/stress-watch.ts';

export type SelfWatchPorts = {
  /** Read at every reading. */
  readonly identity: { readonly id: string; readonly name: string };
  readonly bus: Bus;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly rng: Rng;
  readonly settings: SettingsStore;
  readonly pressure: IndexingPressure;
  readonly signals: OwnSignals;
  readonly warnings: BoundedWarnings;
};

/** A look costs some microseconds: at thousands of requests a second not each of them takes one. */
const LOOK_EVERY_MS = 20;

export class SelfWatch {
  readonly signals: OwnSignals;
  readonly stats: NodeStatsSource;
  readonly #ports: SelfWatchPorts;
  readonly #watch: StressWatch;
  readonly #publisher: StatsPublisher;
  #draining = false;
  #lookedMs = 0;
  /** Empty until the node listens. */
  #address = (): string => '';
  #publishing = false;

  constructor(ports: SelfWatchPorts) {
    const { identity, bus, clock, timers, rng, pressure, signals } = ports;
    const settings = (): EffectiveSettings => ports.settings.current();
    const isDraining = (): boolean => this.#draining;
    const bootId = rng.bytes(12).toString('base64url');
    this.#ports = ports;
    this.signals = signals;
    this.stats = new NodeStatsSource({
      ...{ clock, isDraining },
      identity: {
        bootId,
        get id() {
          return identity.id;
        },
        get name() {
          return identity.name;
        },
      },
      address: () => this.#address(),
      signals: () => this.signals.readings(),
      work: () => this.signals.work.standing(),
      pressure: () => pressure.report(),
      settingsVersion: () => settings().version,
    });
    this.#watch = new StressWatch({
      ...{ states: this.signals.states, settings, isDraining, clock },
      delayMs: () => this.signals.work.delayMs(),
    });
    this.#publisher = new StatsPublisher({
      ...{ bus, clock, timers, rng },
      intervalMs: () => settings().stats.intervalMs,
      take: () => this.stats.take(),
      onBeat: (beat) => this.#afterBeat(beat),
    });
  }

  get isDraining(): boolean {
    return this.#draining;
  }

  /** Samples from now on. */
  start(): void {
    this.signals.start(() => this.#publishIfChanged());
  }

  /** Publishes from now on, with the address that others reach this node by at each moment; the returned function ends it. */
  publishFrom(address: () => string): () => Promise<void> {
    this.#address = address;
    this.#publishing = true;
    this.#publisher.start();
    const unsubscribe = this.#ports.settings.onChange(() => {
      this.#publisher.settingsChanged();
      this.#publishIfChanged();
    });
    return async () => {
      unsubscribe();
      await this.#publisher.stop();
    };
  }

  /** Something changed that no signal shows: the others are told at once. */
  tellNow(): void {
    if (this.#publishing) this.#publisher.publishNow();
  }

  /** Takes no new work from now on, and says so to the others. */
  drain(): void {
    this.#draining = true;
    this.#publishIfChanged();
  }

  /** Work comes to the engine; the returned function says that it is done. */
  beginWork(work: number, operations: number, bulk?: string): Release {
    const release = this.signals.work.begin(work, operations, bulk);
    if (this.#ports.clock.nowMs() - this.#lookedMs >= LOOK_EVERY_MS) this.#publishIfChanged();
    return release;
  }

  #publishIfChanged(): void {
    this.#lookedMs = this.#ports.clock.nowMs();
    if (this.#watch.changed() && this.#publishing) this.#publisher.publishNow();
  }

  #afterBeat(beat: Beat): void {
    if (beat.outcome === 'published') return;
    const part = beat.outcome === 'failed' ? beat.part : 'both';
    this.#ports.warnings.warn(
      'beat',
      { seq: beat.seq, outcome: beat.outcome, part },
      'node stats were not published',
    );
  }
}
