// The metrics of one process or embedded service, on a registry of its own, as GET /metrics shows them.
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Role, SignalName } from '../admission/signals.ts';
import { METRICS } from './metric-list.ts';

/** What the gauges show, read at each scrape and never kept. Anything undefined is unknown and left out. */
export type GaugeSource = {
  inFlightBytes(): Readonly<Record<Role, number>>;
  /** Fuller average of an own signal in percent. */
  signalPercent(signal: Exclude<SignalName, 'queue'>): number | undefined;
  delayMs(): number | undefined;
  /** Age of the newest sample by node name; empty at a data node. */
  evidenceAgesMs(): ReadonlyMap<string, number>;
  redisUp(): boolean;
  settingsVersion(): number;
};

export type Metrics = {
  readonly decisions: Counter<'role' | 'verdict' | 'reason' | 'signal'>;
  readonly refusedOperations: Counter<'role' | 'reason'>;
  readonly refusedBytes: Counter<'role' | 'reason'>;
  readonly wouldRefuseOperations: Counter<'role' | 'reason'>;
  readonly wouldRefuseBytes: Counter<'role' | 'reason'>;
  readonly bulkOperations: Counter<'outcome'>;
  readonly unsplitOperations: Counter<'reason'>;
  readonly bulkSeconds: Histogram;
  readonly shardRequestSeconds: Histogram<'role' | 'outcome'>;
  /** Says where the gauges read; until then they show nothing. */
  readGaugesFrom(source: GaugeSource): void;
  readonly contentType: string;
  /** The exposition text. */
  text(): Promise<string>;
};

/** From a fast single document to the longest client timeout. */
const SECONDS_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Metrics of a service that started at `startedWallMs`. */
export function createMetrics(options: {
  readonly service: 'coordinator' | 'datanode';
  readonly version: string;
  readonly startedWallMs: number;
}): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const counter = <Label extends string>(name: keyof typeof METRICS): Counter<Label> =>
    new Counter({ name, help: METRICS[name].help, labelNames: labelsOf<Label>(name), registers });
  const histogram = <Label extends string>(name: keyof typeof METRICS): Histogram<Label> =>
    new Histogram({
      name,
      help: METRICS[name].help,
      labelNames: labelsOf<Label>(name),
      buckets: SECONDS_BUCKETS,
      registers,
    });
  let source: GaugeSource | undefined;
  /** A gauge that is read at each scrape; what a reading leaves out is absent, not 0. */
  const gauge = (name: keyof typeof METRICS, read: (from: GaugeSource, set: SetGauge) => void): void => {
    const labelNames = labelsOf<string>(name);
    new Gauge({
      name,
      help: METRICS[name].help,
      labelNames,
      registers,
      collect() {
        this.reset();
        // Without labels a reset leaves a 0 behind, and 0 would be a claim.
        if (labelNames.length === 0) this.remove();
        if (source !== undefined) read(source, (value, labels) => this.set(labels ?? {}, value));
      },
    });
  };
  registerGauges(gauge);
  registerConstants(registry, options);
  return {
    decisions: counter('weir_admission_decisions_total'),
    refusedOperations: counter('weir_refused_operations_total'),
    refusedBytes: counter('weir_refused_bytes_total'),
    wouldRefuseOperations: counter('weir_would_refuse_operations_total'),
    wouldRefuseBytes: counter('weir_would_refuse_bytes_total'),
    bulkOperations: counter('weir_bulk_operations_total'),
    unsplitOperations: counter('weir_unsplit_operations_total'),
    bulkSeconds: histogram('weir_bulk_seconds'),
    shardRequestSeconds: histogram('weir_shard_request_seconds'),
    readGaugesFrom(from) {
      source = from;
    },
    contentType: registry.contentType,
    text: () => registry.metrics(),
  };
}

type SetGauge = (value: number, labels?: Record<string, string>) => void;
type AddGauge = (name: keyof typeof METRICS, read: (from: GaugeSource, set: SetGauge) => void) => void;

function labelsOf<Label extends string>(name: keyof typeof METRICS): Label[] {
  return Object.keys(METRICS[name].labels) as Label[];
}

function registerGauges(gauge: AddGauge): void {
  gauge('weir_in_flight_bytes', (from, set) => {
    for (const [role, bytes] of Object.entries(from.inFlightBytes())) set(bytes, { role });
  });
  gauge('weir_signal_ratio', (from, set) => {
    for (const signal of METRICS.weir_signal_ratio.labels.signal) {
      const percent = from.signalPercent(signal);
      if (percent !== undefined) set(percent / 100, { signal });
    }
  });
  gauge('weir_delay_seconds', (from, set) => {
    const delayMs = from.delayMs();
    if (delayMs !== undefined) set(delayMs / 1000);
  });
  gauge('weir_evidence_age_seconds', (from, set) => {
    for (const [node, ageMs] of from.evidenceAgesMs()) set(ageMs / 1000, { node });
  });
  gauge('weir_redis_up', (from, set) => set(from.redisUp() ? 1 : 0));
  gauge('weir_settings_version', (from, set) => set(from.settingsVersion()));
}

function registerConstants(
  registry: Registry,
  options: { readonly service: string; readonly version: string; readonly startedWallMs: number },
): void {
  const registers = [registry];
  new Gauge({
    name: 'weir_build_info',
    help: METRICS.weir_build_info.help,
    labelNames: labelsOf('weir_build_info'),
    registers,
  }).set({ version: options.version, node_version: process.version, service: options.service }, 1);
  new Gauge({
    name: 'process_start_time_seconds',
    help: METRICS.process_start_time_seconds.help,
    registers,
  }).set(options.startedWallMs / 1000);
}
