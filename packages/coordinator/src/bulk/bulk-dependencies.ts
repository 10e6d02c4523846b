// What the data path of a coordinator is put together from.
import {
  type Clock,
  type ClusterView,
  type DecisionRecorder,
  type EffectiveSettings,
  type IndexingPressure,
  type Metrics,
  type NodeStress,
  type Rng,
  type ShardRequest,
  shedSalt,
  type Timeouts,
  type Timers,
  type YieldToLoop,
} from '@weir/shared';
import type { Topology } from '../cluster/topology.ts';
import type { CoordinatorConfig } from '../config.ts';
import type { ControlPath } from '../view/control-path.ts';
import type { CallPrimary } from './call-primary.ts';
import type { SendUnsplit } from './send-unsplit.ts';

/**
 * Which nodes will publish the work of a shard request as their own, of those that hold its copies, the primary's first. What is noted as sent to any
 * other would be measured by a drain that lacks it.
 */
export type WhoReports = (
  copies: readonly string[],
  asked: Pick<ShardRequest, 'refresh' | 'waitForActiveShards'>,
) => readonly string[];

export type BulkDependencies = {
  /** Name of this coordinator, as refusals show it. */
  readonly name: string;
  /** The settings in force; read anew for every request. */
  readonly settings: () => EffectiveSettings;
  readonly topology: Topology;
  readonly view: Pick<
    ClusterView,
    'node' | 'apply' | 'noteAdmitted' | 'noteNotArrived' | 'noteRejectedByNode'
  >;
  /** This coordinator's own stress, in the role `coordinator`. */
  readonly ownStress: () => NodeStress;
  /** Secret number of the cluster for the shedding hash. */
  readonly salt: number;
  readonly callPrimary: CallPrimary;
  readonly whoReports: WhoReports;
  /** Where an engine behind takes what cannot be split by shard; absent where everything can. */
  readonly sendUnsplit?: SendUnsplit;
  readonly pressure: IndexingPressure;
  readonly recorder: DecisionRecorder;
  readonly metrics: Pick<
    Metrics,
    'bulkOperations' | 'bulkSeconds' | 'shardRequestSeconds' | 'unsplitOperations'
  >;
  /** The most a client waits, and the most this coordinator waits for a primary. */
  readonly timeouts: Pick<Timeouts, 'clientMs' | 'coordinatorMs'>;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly rng: Rng;
  readonly yieldToLoop: YieldToLoop;
};

type Process = Pick<BulkDependencies, 'clock' | 'timers' | 'rng' | 'yieldToLoop'> & {
  readonly config: CoordinatorConfig;
};
/** What differs from engine to engine: where the shards are and who takes their requests. */
type Behind = Pick<BulkDependencies, 'topology' | 'callPrimary' | 'whoReports' | 'sendUnsplit'>;

/** The data path of this process, judging by what `control` watches. */
export function bulkDependencies(
  { config, clock, timers, rng, yieldToLoop }: Process,
  control: ControlPath,
  behind: Behind,
): BulkDependencies {
  const { view, pressure, recorder, metrics, ownStress } = control;
  return {
    ...{ clock, timers, rng, yieldToLoop, view, pressure, recorder, metrics, ...behind },
    name: config.nodeName,
    timeouts: config.timeouts,
    settings: () => control.settings(),
    ownStress: () => ownStress.stress(),
    salt: shedSalt(config.clusterName, config.access.secret),
  };
}
