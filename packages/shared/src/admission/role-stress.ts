// How stressed is a node for one role, given its signals' states and the work waiting there?
import type { EffectiveSettings } from '../settings/effective-settings.ts';
import { limitOf } from '../settings/effective-settings.ts';
import { corroborationWeight, isWeighed, weighingLimit } from './corroboration.ts';
import { CALM, NO_STRESS, type NodeStress, type Stress, UNKNOWN_STRESS } from './node-stress.ts';
import type { AveragedReadings } from './signal-readings.ts';
import { SignalState } from './signal-state.ts';
import { type Role, SIGNALS, type SignalName } from './signals.ts';

/** Holds the states of all signals for one role. */
export class RoleStress {
  readonly role: Role;
  readonly #states: readonly SignalState[] = SIGNALS.map((signal) => new SignalState(signal));
  readonly #queue: SignalState;
  #knowsAveraged = false;
  #anyAveragedRamp = false;

  constructor(role: Role) {
    this.role = role;
    this.#queue = this.stateOf('queue');
  }

  /** Takes in the averaged signals; the queue is judged at each question. */
  observe(readings: AveragedReadings, settings: EffectiveSettings, nowMs: number): void {
    this.#knowsAveraged = false;
    this.#anyAveragedRamp = false;
    for (const state of this.#states) {
      if (state.signal === 'queue') continue;
      this.#update(state, readings.value(state.signal), settings, nowMs);
      if (state.state !== 'unknown') this.#knowsAveraged = true;
      if (state.ramp > 0) this.#anyAveragedRamp = true;
    }
  }

  /** The node's stress now. Allocates nothing while the node is calm. */
  stress(
    delayMs: number | undefined,
    readings: AveragedReadings,
    settings: EffectiveSettings,
    nowMs: number,
  ): NodeStress {
    this.#update(this.#queue, delayMs, settings, nowMs);
    if (this.#queue.ramp === 0 && !this.#anyAveragedRamp) {
      return this.#knowsAveraged || this.#queue.state !== 'unknown' ? CALM : UNKNOWN_STRESS;
    }
    const would = this.#largest(delayMs, readings, settings, nowMs, true);
    if (would.stress === 0) return CALM;
    const enforced = this.#largest(delayMs, readings, settings, nowMs, false);
    return { ...enforced, known: true, would };
  }

  /** The state of one signal, for the view. */
  stateOf(signal: SignalName): SignalState {
    const state = this.#states[SIGNALS.indexOf(signal)];
    if (state === undefined) throw new RangeError(`no such signal: ${signal}`);
    return state;
  }

  /** Stress of one signal after corroboration, in [0, 1]. */
  stressOf(signal: SignalName, delayMs: number | undefined, settings: EffectiveSettings): number {
    return this.#stressOfState(this.stateOf(signal), delayMs, settings);
  }

  #update(state: SignalState, value: number | undefined, settings: EffectiveSettings, nowMs: number): void {
    const limit = limitOf(settings, state.signal, this.role);
    if (limit === undefined || settings.admission.signals[state.signal].mode === 'disabled') {
      state.forget();
      return;
    }
    const { leaveMargin, minHoldMs } = settings.admission;
    state.update(value, limit, leaveMargin, minHoldMs, nowMs);
  }

  #stressOfState(state: SignalState, delayMs: number | undefined, settings: EffectiveSettings): number {
    if (state.ramp === 0 || !settings.admission.corroborate || !isWeighed(state.signal)) return state.ramp;
    const queue = weighingLimit(settings, this.role);
    return queue === undefined ? state.ramp : state.ramp * corroborationWeight(delayMs, queue);
  }

  #largest(
    delayMs: number | undefined,
    readings: AveragedReadings,
    settings: EffectiveSettings,
    nowMs: number,
    withMonitored: boolean,
  ): Stress {
    let culprit: SignalState | undefined;
    let largest = 0;
    for (const state of this.#states) {
      if (!withMonitored && settings.admission.signals[state.signal].mode !== 'enforced') continue;
      const stress = this.#stressOfState(state, delayMs, settings);
      if (stress > largest) {
        largest = stress;
        culprit = state;
      }
    }
    if (culprit === undefined) return NO_STRESS;
    return {
      stress: largest,
      culprit: culprit.signal,
      value: culprit.value,
      limit: limitOf(settings, culprit.signal, this.role)?.soft ?? 0,
      waitMs: culprit.waitMs(readings.fallPerMs(culprit.signal), settings.retryAfter.minMs, nowMs),
    };
  }
}
