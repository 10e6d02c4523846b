// What a coordinator knows of itself and of the data nodes: view, own stress, bytes in flight, recorded decisions, metrics.
import {
  type BoundedWarnings,
  type Bus,
  byteLimits,
  type Clock,
  ClusterView,
  createMetrics,
  type EffectiveSettings,
  followStats,
  IndexingPressure,
  type Logger,
  type Metrics,
  RecordDecisions,
  type Rng,
  realHeapLimitBytes,
  type SettingsStore,
  type Timers,
  WEIR_VERSION,
} from '@weir/shared';
import type { AppliedVersion } from '../settings/settings-bodies.ts';
import { OwnStress } from '../stats/own-stress.ts';

export type ControlPathPorts = {
  /** Name of this coordinator. */
  readonly name: string;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly rng: Rng;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  readonly settings: SettingsStore;
  readonly warnings: BoundedWarnings;
};

export class ControlPath {
  readonly view: ClusterView;
  readonly ownStress: OwnStress;
  readonly pressure: IndexingPressure;
  readonly recorder: RecordDecisions;
  readonly metrics: Metrics;
  readonly #ports: ControlPathPorts;

  constructor(ports: ControlPathPorts) {
    this.#ports = ports;
    const { clock, timers, rng, log, warnings } = ports;
    const settings = (): EffectiveSettings => this.settings();
    const heapLimitBytes = realHeapLimitBytes();
    this.metrics = createMetrics({
      service: 'coordinator',
      version: WEIR_VERSION,
      startedWallMs: clock.wallMs(),
    });
    this.recorder = new RecordDecisions({
      ...{ metrics: this.metrics, log, clock, timers, rng },
      linesPerSecond: () => settings().log.refusalsPerSecond,
    });
    this.pressure = new IndexingPressure(() => byteLimits(settings(), heapLimitBytes));
    this.ownStress = new OwnStress({
      ...{ clock, timers, settings },
      warn: (message, fields) => warnings.warn(message, fields, message),
    });
    this.view = new ClusterView(settings);
    this.#readGauges();
  }

  /** Watches itself and the data nodes until the returned function is called. */
  async start(): Promise<() => Promise<void>> {
    const { bus, clock, timers, rng, warnings } = this.#ports;
    this.ownStress.start();
    const unfollow = await followStats({
      ...{ bus, clock, timers, rng, view: this.view },
      settings: () => this.settings(),
      warn: (message, fields) => warnings.warn(`stats ${fields['key']}`, fields, message),
    });
    return async () => {
      this.ownStress.stop();
      this.recorder.stop();
      await unfollow();
    };
  }

  settings(): EffectiveSettings {
    return this.#ports.settings.current();
  }

  /** A node that was silent for long is not there; one that is only unknown may be, and so may every one while the bus itself is silent. */
  isLive(nodeId: string): boolean {
    const { bus, clock } = this.#ports;
    const node = this.view.node(nodeId);
    return node !== undefined && (!bus.isUp() || node.standing(clock.nowMs(), this.settings()) !== 'gone');
  }

  /** The version of the settings that this coordinator has applied, and the one every data node said last. */
  appliedVersions(): readonly AppliedVersion[] {
    const { name, clock } = this.#ports;
    const nowMs = clock.nowMs();
    const nodes = [...this.view.nodes()].map((node) => ({
      node: node.name,
      version: node.stats.settings_version,
      ageMs: node.ageMs(nowMs),
    }));
    return [{ node: name, version: this.settings().version, ageMs: 0 }, ...nodes];
  }

  #readGauges(): void {
    const { clock, bus } = this.#ports;
    this.metrics.readGaugesFrom({
      inFlightBytes: () => {
        const { coordinating, primary, replica } = this.pressure.report().currentBytes;
        return { coordinator: coordinating, primary, replica };
      },
      signalPercent: (signal) => {
        const reading = this.ownStress.readings()[signal];
        return reading?.quality === 'ok' ? Math.max(reading.fast, reading.slow) : undefined;
      },
      // What waits, waits at the data nodes.
      delayMs: () => undefined,
      evidenceAgesMs: () =>
        new Map([...this.view.nodes()].map((node) => [node.name, node.ageMs(clock.nowMs())])),
      redisUp: () => bus.isUp(),
      settingsVersion: () => this.settings().version,
    });
  }
}
