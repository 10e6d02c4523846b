// Is another node known to be calm, so that a replica's part needs no permit from it?
import type { Clock, ClusterView, EffectiveSettings } from '@weir/shared';

/** Heard of lately, and not stressed at the replica limit. */
export function isKnownCalm(
  id: string,
  view: ClusterView,
  clock: Clock,
  settings: EffectiveSettings,
): boolean {
  const node = view.node(id);
  if (node?.standing(clock.nowMs(), settings) !== 'known') return false;
  const { known, stress } = node.stressOf('replica', clock.nowMs(), settings);
  return known && stress === 0;
}
