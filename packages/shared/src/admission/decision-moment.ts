// What a decision needs beside its subject: the time, the settings in force and the key of the shedding hash.
import type { Clock } from '../ops/clock.ts';
import type { EffectiveSettings } from '../settings/effective-settings.ts';
import { epochNumber, type ShedKey } from './shed.ts';

/** Made once per bulk, used for all its shard requests. */
export type DecisionMoment = {
  readonly nowMs: number;
  readonly settings: EffectiveSettings;
  readonly shed: ShedKey;
};

export function momentOf(clock: Clock, settings: EffectiveSettings, salt: number): DecisionMoment {
  const epoch = epochNumber(clock.wallMs(), settings.admission.epochMs);
  return { nowMs: clock.nowMs(), settings, shed: { epoch, salt } };
}
