// The gate: may this shard request leave the coordinator? Decided once, before anything of the request has run.
import { decideShard, type ItemFailure, momentOf } from '@weir/shared';
import type { BulkDependencies } from './bulk-dependencies.ts';
import { refusalFailure } from './refusal-item.ts';
import type { RequestIdentity } from './request-identity.ts';
import type { ShardGroup } from './shard-group.ts';

type Ports = Pick<
  BulkDependencies,
  'clock' | 'name' | 'ownStress' | 'recorder' | 'salt' | 'settings' | 'view'
>;

/** The refusal of each group that is refused, decided at one moment and under one version of the settings. */
export function evaluateShards(
  groups: readonly ShardGroup[],
  identity: RequestIdentity,
  ports: Ports,
): ReadonlyMap<ShardGroup, ItemFailure> {
  const moment = momentOf(ports.clock, ports.settings(), ports.salt);
  const own = { name: ports.name, stress: ports.ownStress() };
  const refused = new Map<ShardGroup, ItemFailure>();
  for (const group of groups) {
    const { index, shard, bytes } = group;
    const verdict = decideShard(group, ports.view, own, moment);
    const decisionId = ports.recorder.record(verdict, {
      role: verdict.kind === 'admit' ? 'primary' : verdict.evidence.role,
      index,
      shard,
      operations: group.operations.length,
      bytes,
      ...identity,
      settingsVersion: moment.settings.version,
    });
    if (verdict.kind !== 'refuse') continue;
    const subject = `shard request for [${index}][${shard}]`;
    const { evidence } = verdict;
    refused.set(group, refusalFailure({ evidence, subject, bytes, permanent: false, decisionId }));
  }
  return refused;
}
