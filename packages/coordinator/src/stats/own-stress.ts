// How stressed is this coordinator itself? Its own cpu, heap and event loop, judged by the limits of the role `coordinator`.
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
import { LoopLag } from './loop-lag.ts';

type OwnStressPorts = {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly settings: () => EffectiveSettings;
  readonly warn: (message: string, fields: ErrorFields) => void;
};

/** Samples on a timer; asking costs no look at the system. */
export class OwnStress {
  readonly #ports: OwnStressPorts;
  readonly #sampler: HostSampler;
  readonly #states = new StressStates();
  readonly #lag: LoopLag;

  constructor(ports: OwnStressPorts) {
    this.#ports = ports;
    this.#sampler = openHostSampler(ports);
    this.#lag = new LoopLag(ports);
  }

  start(): void {
    this.#lag.start();
    this.#sampler.start(() => {
      const { clock, settings } = this.#ports;
      this.#states.observe(this.#sampler.readings(), clock.nowMs(), settings());
    });
  }

  stop(): void {
    this.#lag.stop();
    this.#sampler.stop();
  }

  /** What waits here waits for the event loop: its lag is the delay that cpu and event loop are weighed by. */
  stress(): NodeStress {
    const { clock, settings } = this.#ports;
    return this.#states.stressOf('coordinator', this.#lag.delayMs(), clock.nowMs(), settings());
  }

  readings(): SignalReadings {
    return this.#sampler.readings();
  }
}
