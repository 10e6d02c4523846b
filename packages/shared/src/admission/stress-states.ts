// How stressed is a node for each role? Keeps what its signals did before, because stress ends later than it begins.
import type { EffectiveSettings } from '../settings/effective-settings.ts';
import { guardSettings } from './guard-settings.ts';
import type { NodeStress } from './node-stress.ts';
import { RoleStress } from './role-stress.ts';
import { AveragedReadings, type SignalReadings } from './signal-readings.ts';
import type { Quality, Role, SignalName } from './signals.ts';

/** How one signal stands for one role, for the view and the node's own stats. */
export type SignalStanding = { readonly state: 'unknown' | 'calm' | 'stressed'; readonly stress: number };

/** The hysteresis states of one node, per signal and role; one instance per node that is watched, or for oneself. */
export class StressStates {
  readonly #averaged = new AveragedReadings();
  readonly #primary = new RoleStress('primary');
  readonly #replica = new RoleStress('replica');
  readonly #coordinator = new RoleStress('coordinator');
  /** Only a node that guards itself has these. */
  #guards: { readonly primary: RoleStress; readonly replica: RoleStress } | undefined;
  #settings: EffectiveSettings | undefined;

  /** Takes in new readings of the averaged signals. */
  observe(readings: SignalReadings, nowMs: number, settings: EffectiveSettings): void {
    this.#averaged.observe(readings, nowMs);
    this.#judge(settings, nowMs);
  }

  /**
   * The node's stress for a role, with `delayMs` of work waiting there (undefined: unknown).
   * Allocates nothing while the node is calm. Changed limits count from the first question after the change.
   */
  stressOf(role: Role, delayMs: number | undefined, nowMs: number, settings: EffectiveSettings): NodeStress {
    if (settings !== this.#settings) this.#judge(settings, nowMs);
    return this.#of(role).stress(delayMs, this.#averaged, settings, nowMs);
  }

  /** The node's own stress as its guard sees it: the same law, with the queue limits a guard has beside gates. */
  guardStressOf(
    role: 'primary' | 'replica',
    delayMs: number | undefined,
    nowMs: number,
    settings: EffectiveSettings,
  ): NodeStress {
    if (this.#guards === undefined || settings !== this.#settings) {
      this.#guards ??= { primary: new RoleStress('primary'), replica: new RoleStress('replica') };
      this.#judge(settings, nowMs);
    }
    return this.#guards[role].stress(delayMs, this.#averaged, guardSettings(settings), nowMs);
  }

  /** How one signal stood when the role was last asked for. */
  standing(
    signal: SignalName,
    role: Role,
    delayMs: number | undefined,
    settings: EffectiveSettings,
  ): SignalStanding {
    const of = this.#of(role);
    return { state: of.stateOf(signal).state, stress: of.stressOf(signal, delayMs, settings) };
  }

  /** The larger average of a signal; undefined where it is unknown. */
  valueOf(signal: SignalName): number | undefined {
    return this.#averaged.value(signal);
  }

  qualityOf(signal: SignalName): Quality {
    return this.#averaged.quality(signal);
  }

  #judge(settings: EffectiveSettings, nowMs: number): void {
    this.#settings = settings;
    this.#primary.observe(this.#averaged, settings, nowMs);
    this.#replica.observe(this.#averaged, settings, nowMs);
    this.#coordinator.observe(this.#averaged, settings, nowMs);
    this.#guards?.primary.observe(this.#averaged, guardSettings(settings), nowMs);
    this.#guards?.replica.observe(this.#averaged, guardSettings(settings), nowMs);
  }

  #of(role: Role): RoleStress {
    if (role === 'primary') return this.#primary;
    return role === 'replica' ? this.#replica : this.#coordinator;
  }
}
