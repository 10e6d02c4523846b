// How does the view read for a person? The `nodes` of GET /_weir/view.
import { shedShare } from '../admission/charge.ts';
import { SIGNALS, type SignalName } from '../admission/signals.ts';
import type { SignalStanding } from '../admission/stress-states.ts';
import type { EffectiveSettings } from '../settings/effective-settings.ts';
import type { ClusterView } from './cluster-view.ts';
import type { WatchedNode } from './watched-node.ts';

type SignalReport = {
  readonly value: number | null;
  readonly quality: string;
  readonly primary: SignalStanding;
  readonly replica: SignalStanding;
};

/** One node in wire names. */
export type NodeReport = {
  readonly id: string;
  readonly address: string;
  readonly state: 'calm' | 'stressed' | 'unknown' | 'gone';
  readonly age_ms: number;
  readonly boot_id: string;
  readonly seq: number;
  readonly signals: Readonly<Record<SignalName, SignalReport>>;
  readonly culprit: SignalName | 'none';
  readonly delay_ms: number | null;
  readonly estimate: {
    readonly published: number;
    readonly arrivals: number;
    readonly drained: number;
    readonly m: number;
  };
  /** Share of shard requests that would be refused now, by role. */
  readonly would_refuse: { readonly primary: number; readonly replica: number };
};

/** Every node of the view by name; where several have the same one, it means the one heard last, and the others have their id beside it. */
export function reportNodes(
  view: ClusterView,
  nowMs: number,
  settings: EffectiveSettings,
): Readonly<Record<string, NodeReport>> {
  const newest = new Map<string, WatchedNode>();
  for (const node of view.nodes()) {
    const other = newest.get(node.name);
    if (other === undefined || node.ageMs(nowMs) < other.ageMs(nowMs)) newest.set(node.name, node);
  }
  const reports: Record<string, NodeReport> = {};
  for (const node of view.nodes()) {
    const key = newest.get(node.name) === node ? node.name : `${node.name} (${node.stats.id})`;
    reports[key] = reportNode(node, nowMs, settings);
  }
  return reports;
}

function reportNode(node: WatchedNode, nowMs: number, settings: EffectiveSettings): NodeReport {
  const standing = node.standing(nowMs, settings);
  const known = standing === 'known';
  const primary = node.stressOf('primary', nowMs, settings);
  const replica = node.stressOf('replica', nowMs, settings);
  const { maxShedRatio } = settings.admission;
  const { load, stats } = node;
  return {
    id: stats.id,
    address: stats.address,
    state: known ? (primary.would.stress > 0 ? 'stressed' : 'calm') : standing,
    age_ms: Math.round(node.ageMs(nowMs)),
    boot_id: stats.boot_id,
    seq: stats.seq,
    signals: reportSignals(node, nowMs, settings),
    culprit: known ? primary.would.culprit : 'none',
    delay_ms: rounded(load.delayMs(nowMs)),
    estimate: {
      published: round(load.published),
      arrivals: round(load.arrivals(nowMs)),
      drained: round(load.drained(nowMs)),
      m: round(load.scale),
    },
    would_refuse: {
      primary: known ? round(shedShare(primary.would.stress, maxShedRatio)) : 0,
      replica: known ? round(shedShare(replica.would.stress, maxShedRatio)) : 0,
    },
  };
}

function reportSignals(
  node: WatchedNode,
  nowMs: number,
  settings: EffectiveSettings,
): Readonly<Record<SignalName, SignalReport>> {
  const delayMs = node.load.delayMs(nowMs);
  const report = (signal: SignalName): SignalReport => ({
    value: rounded(signal === 'queue' ? delayMs : node.states.valueOf(signal)),
    quality:
      signal === 'queue' ? (delayMs === undefined ? 'unavailable' : 'ok') : node.states.qualityOf(signal),
    primary: roundedStanding(node.states.standing(signal, 'primary', delayMs, settings)),
    replica: roundedStanding(node.states.standing(signal, 'replica', delayMs, settings)),
  });
  return Object.fromEntries(SIGNALS.map((signal) => [signal, report(signal)])) as Record<
    SignalName,
    SignalReport
  >;
}

function roundedStanding(standing: SignalStanding): SignalStanding {
  return { state: standing.state, stress: round(standing.stress) };
}

function rounded(value: number | undefined): number | null {
  return value === undefined ? null : round(value);
}

/** Three decimals are more than any of these figures is good for. */
function round(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
