// How stressed is a node for one role, given its signals' states and the work waiting there?
import type { EffectiveSettings, Limit } from '../settings/effective-settings.ts';
import { limitOf } from '../settings/effective-settings.ts';
import { corroborationWeight, isWeighed, weighingLimit } from './corroboration.ts';
import { CALM, NO_STRESS, type NodeStress, type Stress, UNKNOWN_STRESS } from './node-stress.ts';
import type { AveragedReadings } from './signal-readings.ts';
import { SignalState } from './signal-state.ts';
import { type Role, SIGNALS, type SignalName } from './signals.ts';

/** Holds the states of all signals for one role. Heap, queue and the highest of the weighed signals are all it takes to decide. */
export class RoleStress {
  readonly role: Role;
  readonly #states: readonly SignalState[] = SIGNALS.map((signal) => new SignalState(signal));
  readonly #heap = this.stateOf('heap');
  readonly #queue = this.stateOf('queue');
  /** Of cpu, io and event loop the one highest on its ramp: of all, and of those that are enforced. */
  #weighed: SignalState | undefined;
  #weighedEnforced: SignalState | undefined;
  #knowsAveraged = false;
  /** What corroborates the weighed signals; undefined where they count in full. */
  #weighing: Limit | undefined;
  #queueLimit: Limit | undefined;
  #monitors = false;

  constructor(role: Role) {
    this.role = role;
  }

  /** Takes in the averaged signals and the settings; the queue is judged at each question. */
  observe(readings: AveragedReadings, settings: EffectiveSettings, nowMs: number): void {
    const { signals, corroborate } = settings.admission;
    this.#weighing = corroborate ? weighingLimit(settings, this.role) : undefined;
    this.#queueLimit = signals.queue.mode === 'disabled' ? undefined : limitOf(settings, 'queue', this.role);
    this.#monitors = SIGNALS.some((signal) => signals[signal].mode === 'monitor_only');
    this.#knowsAveraged = false;
    this.#weighed = undefined;
    this.#weighedEnforced = undefined;
    for (const state of this.#states) {
      if (state.signal === 'queue') continue;
      this.#update(state, readings.value(state.signal), settings, nowMs);
      if (state.state !== 'unknown') this.#knowsAveraged = true;
      if (!isWeighed(state.signal)) continue;
      this.#weighed = higher(this.#weighed, state);
      if (signals[state.signal].mode === 'enforced')
        this.#weighedEnforced = higher(this.#weighedEnforced, state);
    }
  }

  /** The node's stress now. Allocates nothing while the node is calm. */
  stress(
    delayMs: number | undefined,
    readings: AveragedReadings,
    settings: EffectiveSettings,
    nowMs: number,
  ): NodeStress {
    const { leaveMargin, minHoldMs, signals } = settings.admission;
    if (this.#queueLimit === undefined) this.#queue.forget();
    else this.#queue.update(delayMs, this.#queueLimit, leaveMargin, minHoldMs, nowMs);
    if (this.#queue.ramp === 0 && this.#heap.ramp === 0 && this.#weighed === undefined) {
      return this.#knowsAveraged || this.#queue.state !== 'unknown' ? CALM : UNKNOWN_STRESS;
    }
    const weight = this.#weighing === undefined ? 1 : corroborationWeight(delayMs, this.#weighing);
    const highest = this.#highest(this.#heap, this.#queue, this.#weighed, weight);
    if (highest === undefined) return CALM;
    const would = this.#stressBy(highest, weight, readings, settings, nowMs);
    const enforced = this.#monitors ? this.#highestEnforced(weight, signals) : highest;
    const by = enforced === highest ? would : this.#stressBy(enforced, weight, readings, settings, nowMs);
    const { stress, culprit, value, limit, waitMs } = by;
    return { stress, culprit, value, limit, waitMs, known: true, would };
  }

  /** The state of one signal, for the view. */
  stateOf(signal: SignalName): SignalState {
    const state = this.#states[SIGNALS.indexOf(signal)];
    if (state === undefined) throw new RangeError(`no such signal: ${signal}`);
    return state;
  }

  /** Stress of one signal after corroboration, in [0, 1]. */
  stressOf(signal: SignalName, delayMs: number | undefined, settings: EffectiveSettings): number {
    const weighing = settings.admission.corroborate ? weighingLimit(settings, this.role) : undefined;
    const weight = weighing === undefined ? 1 : corroborationWeight(delayMs, weighing);
    return stressOf(this.stateOf(signal), weight);
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

  /** In charge order: on equal stress the first one. Undefined where none is stressed. */
  #highest(
    heap: SignalState | undefined,
    queue: SignalState | undefined,
    weighed: SignalState | undefined,
    weight: number,
  ): SignalState | undefined {
    let highest = heap;
    if (stressOf(queue, weight) > stressOf(highest, weight)) highest = queue;
    if (stressOf(weighed, weight) > stressOf(highest, weight)) highest = weighed;
    return stressOf(highest, weight) > 0 ? highest : undefined;
  }

  #highestEnforced(
    weight: number,
    signals: EffectiveSettings['admission']['signals'],
  ): SignalState | undefined {
    const heap = signals.heap.mode === 'enforced' ? this.#heap : undefined;
    const queue = signals.queue.mode === 'enforced' ? this.#queue : undefined;
    return this.#highest(heap, queue, this.#weighedEnforced, weight);
  }

  #stressBy(
    culprit: SignalState | undefined,
    weight: number,
    readings: AveragedReadings,
    settings: EffectiveSettings,
    nowMs: number,
  ): Stress {
    if (culprit === undefined) return NO_STRESS;
    return {
      stress: stressOf(culprit, weight),
      culprit: culprit.signal,
      value: culprit.value,
      limit: limitOf(settings, culprit.signal, this.role)?.soft ?? 0,
      waitMs: culprit.waitMs(readings.fallPerMs(culprit.signal), settings.retryAfter.minMs, nowMs),
    };
  }
}

function stressOf(state: SignalState | undefined, weight: number): number {
  if (state === undefined) return 0;
  return isWeighed(state.signal) ? state.ramp * weight : state.ramp;
}

/** The one higher on its ramp; a signal at the foot of its ramp is none. */
function higher(one: SignalState | undefined, other: SignalState): SignalState | undefined {
  return other.ramp > (one?.ramp ?? 0) ? other : one;
}
