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

  constructor(ports: OwnStressPorts) {
    this.#ports = ports;
    this.#sampler = openHostSampler(ports);
  }

  start(): void {
    this.#sampler.start(() => {
      const { clock, settings } = this.#ports;
      this.#states.observe(this.#sampler.readings(), clock.nowMs(), settings());
    });
  }

  stop(): void {
    this.#sampler.stop();
  }

  /** A coordinator has no queue of its own: what waits, waits at the data nodes. */
  stress(): NodeStress {
    const { clock, settings } = this.#ports;
    return this.#states.stressOf('coordinator', undefined, clock.nowMs(), settings());
  }

  readings(): SignalReadings {
    return this.#sampler.readings();
  }
}
