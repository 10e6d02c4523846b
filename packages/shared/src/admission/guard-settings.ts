// Which limits does the guard hold its own delay against, while gates steer by the same settings?
// Why: gates keep the delay of a busy node between ¾ of soft and hard, within the error of their estimates. A guard with
// the same limits would refuse a second time in that band, after the hop (7 to 14 % of what is offered, in simulation,
// instead of less than 1 %); so its queue limits lie where its ramp begins when the gates' ramp ends.
import type { EffectiveSettings, Limit } from '../settings/effective-settings.ts';
import { STEERED_FROM } from './corroboration.ts';

const raisedOf = new WeakMap<EffectiveSettings, EffectiveSettings>();

/** The settings for a guard's own stress: higher queue limits; unchanged where coordinators do not steer. */
export function guardSettings(settings: EffectiveSettings): EffectiveSettings {
  if (!settings.admission.coordinatorEnabled) return settings;
  const known = raisedOf.get(settings);
  if (known !== undefined) return known;
  const raised = withQueueRaised(settings);
  raisedOf.set(settings, raised);
  return raised;
}

function withQueueRaised(settings: EffectiveSettings): EffectiveSettings {
  const { queue } = settings.admission.signals;
  const { primary, replica, coordinator } = queue.limits;
  const limits = { primary: raise(primary), replica: raise(replica), coordinator };
  const signals = { ...settings.admission.signals, queue: { ...queue, limits } };
  return { ...settings, admission: { ...settings.admission, signals } };
}

/** ¾ of the new soft limit is the old hard one: from there on cpu, io and event loop count at the guard. */
function raise({ soft, hard }: Limit): Limit {
  const raisedSoft = hard / STEERED_FROM;
  return { soft: raisedSoft, hard: raisedSoft + hard - soft };
}
