// What the data path of a coordinator is put together from.
import type {
  Clock,
  ClusterView,
  DecisionRecorder,
  EffectiveSettings,
  IndexingPressure,
  Metrics,
  NodeStress,
  Rng,
  Timeouts,
  Timers,
  YieldToLoop,
} from '@weir/shared';
import type { Topology } from '../cluster/topology.ts';
import type { CallPrimary } from './call-primary.ts';
import type { SendUnsplit } from './send-unsplit.ts';

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
