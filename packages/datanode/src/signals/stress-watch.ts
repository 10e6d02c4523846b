// Has this node's state changed since one last looked? A change is published at once instead of with the next beat.
import { type Clock, type EffectiveSettings, SIGNALS, type StressStates } from '@weir/shared';

const ROLES_OF_A_DATA_NODE = ['primary', 'replica'] as const;

export type StressWatchPorts = {
  readonly states: StressStates;
  readonly delayMs: () => number;
  readonly settings: () => EffectiveSettings;
  readonly isDraining: () => boolean;
  readonly clock: Clock;
};

/** Remembers the state of every signal for both roles, and whether the node drains. */
export class StressWatch {
  readonly #ports: StressWatchPorts;
  #seen = '';

  constructor(ports: StressWatchPorts) {
    this.#ports = ports;
  }

  /** True once per change; looking costs a few comparisons. */
  changed(): boolean {
    const now = this.#look();
    const changed = now !== this.#seen;
    this.#seen = now;
    return changed;
  }

  #look(): string {
    const { states, delayMs, settings, isDraining, clock } = this.#ports;
    const waitMs = delayMs();
    const current = settings();
    let seen = isDraining() ? 'draining' : 'open';
    for (const role of ROLES_OF_A_DATA_NODE) {
      states.stressOf(role, waitMs, clock.nowMs(), current);
      for (const signal of SIGNALS) seen += ` ${states.standing(signal, role, waitMs, current).state}`;
    }
    return seen;
  }
}
