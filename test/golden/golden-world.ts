// What a golden script acts upon: a coordinator's view, some data nodes, a clock, and the settings.
import {
  ClusterView,
  type DecisionMoment,
  decideNode,
  decideShard,
  delayMs,
  type EffectiveSettings,
  Ewma,
  epochNumber,
  type NodeStats,
  type Role,
  type SignalReading,
  type SignalReadings,
  StressStates,
  type Verdict,
} from '@weir/shared';
import { DEFAULT_SETTINGS, ManualClock } from '@weir/shared/testing';

export type AveragedSignalName = keyof SignalReadings;

/** What a data node says of itself beside its signals. */
export type LoadFigures = Pick<NodeStats, 'work' | 'drain_per_s' | 'oldest_waiting_ms' | 'accepted_total'>;

/** Before its first message a node is idle and has drained 80 units a second. */
const UNHEARD: Omit<NodeStats, 'id' | 'name'> = {
  address: 'http://127.0.0.1:9300',
  boot_id: 'boot-1',
  seq: 0,
  draining: false,
  signals: {},
  work: 0,
  operations_waiting: 0,
  oldest_waiting_ms: 0,
  drain_per_s: 80,
  accepted_total: 0,
  completed_total: 0,
  in_flight_bytes: { coordinating: 0, primary: 0, replica: 0 },
  limit_bytes: { primary: 0, replica: 0 },
  settings_version: 0,
};

/** A data node that says what the script tells it to say. */
export class ScriptedNode {
  readonly name: string;
  readonly states = new StressStates();
  readonly #averages = new Map<AveragedSignalName, { readonly fast: Ewma; readonly slow: Ewma }>();
  #boot = 1;
  stats: NodeStats;

  constructor(name: string) {
    this.name = name;
    this.stats = { id: `id-${name}`, name, ...UNHEARD };
  }

  /** Makes the next message; load that is not told anew stays as it was. */
  say(signals: NodeStats['signals'], load: Partial<LoadFigures>): void {
    this.stats = { ...this.stats, ...load, signals, seq: this.stats.seq + 1 };
  }

  /** One raw reading through the averages of a node: τ 2 s and τ 10 s. */
  average(signal: AveragedSignalName, percent: number, nowMs: number): SignalReading {
    const averages = this.#averages.get(signal) ?? { fast: new Ewma(2_000), slow: new Ewma(10_000) };
    this.#averages.set(signal, averages);
    averages.fast.observe(percent, nowMs);
    averages.slow.observe(percent, nowMs);
    return { fast: averages.fast.value() ?? 0, slow: averages.slow.value() ?? 0, quality: 'ok' };
  }

  restart(): void {
    this.#boot += 1;
    this.stats = { ...this.stats, ...UNHEARD, boot_id: `boot-${this.#boot}` };
  }
}

/** Everything a script can change or ask. */
export class GoldenWorld {
  readonly clock = new ManualClock(100_000);
  settings: EffectiveSettings = DEFAULT_SETTINGS;
  readonly view = new ClusterView(() => this.settings);
  readonly own = new StressStates();
  ownDelayMs: number | undefined;
  readonly #nodes = new Map<string, ScriptedNode>();

  node(name: string): ScriptedNode {
    const node = this.#nodes.get(name) ?? new ScriptedNode(name);
    this.#nodes.set(name, node);
    return node;
  }

  publish(node: ScriptedNode): void {
    const nowMs = this.clock.nowMs();
    this.view.apply(node.stats, nowMs);
    node.states.observe(node.stats.signals, nowMs, this.settings);
  }

  /** The gate's verdict on one shard request with this digest. */
  gate(primary: string, replicas: readonly string[], digest: number): Verdict {
    const moment = this.#moment();
    const facts = {
      index: 'logs-a',
      shard: 0,
      digest: () => digest,
      primary: `id-${primary}`,
      replicas: replicas.map((name) => `id-${name}`),
    };
    return decideShard(facts, this.view, { name: 'co1', stress: this.#ownStress(moment) }, moment);
  }

  /** The guard's verdict at a node, from what it last said of itself. */
  guard(name: string, role: Exclude<Role, 'coordinator'>, digest: number): Verdict {
    const moment = this.#moment();
    const { states, stats } = this.node(name);
    const delay = delayMs(stats.work, stats.drain_per_s, stats.oldest_waiting_ms);
    const stress = states.guardStressOf(role, delay, moment.nowMs, moment.settings);
    return decideNode(role, { index: 'logs-a', shard: 0, digest: () => digest }, { name, stress }, moment);
  }

  #ownStress(moment: DecisionMoment) {
    return this.own.stressOf('coordinator', this.ownDelayMs, moment.nowMs, moment.settings);
  }

  #moment(): DecisionMoment {
    const epoch = epochNumber(this.clock.wallMs(), this.settings.admission.epochMs);
    return { nowMs: this.clock.nowMs(), settings: this.settings, shed: { epoch, salt: 7 } };
  }
}
