// How stressed is this process by its own exact figures? Samples, trackers and counted work in one unit for whoever guards with them.
import {
  type Clock,
  type EffectiveSettings,
  type ErrorFields,
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
};

export class OwnSignals {
  readonly work: WorkTracker;
  readonly states = new StressStates();
  readonly #ports: OwnSignalsPorts;
  readonly #sampler: ReturnType<typeof openHostSampler>;

  constructor(ports: OwnSignalsPorts) {
    this.#ports = ports;
    this.work = new WorkTracker(ports.clock);
    this.#sampler = openHostSampler(ports);
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

  /** The stress for a role as a guard sees it, with the work that waits now. */
  stressOf(role: 'primary' | 'replica'): NodeStress {
    const { clock, settings } = this.#ports;
    return this.states.guardStressOf(role, this.work.delayMs(), clock.nowMs(), settings());
  }
}
