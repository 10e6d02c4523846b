// How stressed is this process by its own exact figures? Samples, trackers and counted work in one unit for whoever guards with them.
import {
  type Clock,
  type EffectiveSettings,
  type ErrorFields,
  type HostSampler,
  type NodeStress,
  openHostSampler,
  type SignalReadings,
  StressStates,
  type Timers,
} from '@weir/shared';
import { WorkTracker } from './signals/work-tracker.ts';

export type OwnSignalsPorts = {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly settings: () => EffectiveSettings;
  /** Where the data lies; without it there is no io signal. */
  readonly dataPath?: string;
  readonly warn: (message: string, fields: ErrorFields) => void;
  /** What is sampled; by default this process and its host. */
  readonly sampler?: SignalSampler;
  /** What waits; by default the work that is begun here. */
  readonly work?: Work;
};

type SignalSampler = Pick<HostSampler, 'start' | 'stop' | 'readings'>;
/** Work that is counted from its begin to its end, and how long more of it would wait. */
export type Work = Pick<WorkTracker, 'begin' | 'standing' | 'delayMs'>;

export class OwnSignals {
  readonly work: Work;
  readonly states = new StressStates();
  readonly #ports: OwnSignalsPorts;
  readonly #sampler: SignalSampler;

  constructor(ports: OwnSignalsPorts) {
    this.#ports = ports;
    this.work = ports.work ?? new WorkTracker(ports.clock);
    this.#sampler = ports.sampler ?? openHostSampler(ports);
  }

  /** Samples from now on; `afterSample` runs after each sample was taken in. */
  start(afterSample: () => void = () => {}): void {
    this.#sampler.start(() => {
      const { clock, settings } = this.#ports;
      this.states.observe(this.#sampler.readings(), clock.nowMs(), settings());
      afterSample();
    });
  }

  stop(): void {
    this.#sampler.stop();
  }

  readings(): SignalReadings {
    return this.#sampler.readings();
  }

  /** The stress for a role as a guard sees it for a part of this bulk, with the work that waits now. */
  stressOf(role: 'primary' | 'replica', bulk?: string): NodeStress {
    const { clock, settings } = this.#ports;
    return this.states.guardStressOf(role, this.work.delayMs(bulk), clock.nowMs(), settings());
  }
}
