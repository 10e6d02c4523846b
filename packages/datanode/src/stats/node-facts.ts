// What every data node shows of itself, whatever engine is behind it: gauges of /metrics and the facts of its stats.
import {
  type Bus,
  type Clock,
  type IndexingPressure,
  type Metrics,
  ProcessFiguresSource,
  type RecordDecisions,
} from '@weir/shared';
import type { SelfWatch } from '../self-watch.ts';
import type { LocalStatsPorts } from './local-stats.ts';

type Shown = {
  readonly clock: Clock;
  readonly watch: SelfWatch;
  readonly pressure: IndexingPressure;
  readonly bus: Bus;
};

/** Lets `/metrics` read its gauges from the running node. */
export function showGauges(
  metrics: Metrics,
  { watch, pressure, bus }: Shown,
  settingsVersion: () => number,
): void {
  const { states, work } = watch.signals;
  metrics.readGaugesFrom({
    ...{ settingsVersion },
    inFlightBytes: () => {
      const { coordinating, primary, replica } = pressure.report().currentBytes;
      return { coordinator: coordinating, primary, replica };
    },
    signalPercent: (signal) => states.valueOf(signal),
    delayMs: () => (work.standing().drainPerS === null ? undefined : work.delayMs()),
    evidenceAgesMs: () => new Map(),
    redisUp: () => bus.isUp(),
  });
}

/** What `_nodes/_local/stats` reads at each request. */
export function nodeFacts(
  { clock, watch, pressure }: Shown,
  recorder: RecordDecisions,
): Pick<LocalStatsPorts, 'wallMs' | 'work' | 'facts'> {
  const figures = new ProcessFiguresSource(clock);
  return {
    wallMs: () => clock.wallMs(),
    work: () => watch.signals.work.standing(),
    facts: () => ({
      figures: figures.read(),
      signals: watch.signals.readings(),
      pressure: pressure.report(),
      combinedBytes: pressure.combinedBytes,
      admissionControl: recorder.admissionControlStats(),
    }),
  };
}
