// From stored texts to the settings the code reads: always a valid set, whatever the layers hold.
import { type Mode, SIGNALS, type SignalName } from '../admission/signals.ts';
import type { EffectiveSettings, Limit, SignalSettings } from './effective-settings.ts';
import { readSetting, resolveSetting, type SettingsLayers } from './settings-layers.ts';
import { describeBroken, SETTINGS_RULES } from './settings-rules.ts';
import type { PLAIN_SETTINGS } from './settings-schema.ts';
import { limitKey, modeKey, rolesOf, type SIGNAL_MODES } from './signal-settings.ts';

type PlainKey = keyof typeof PLAIN_SETTINGS;
type ValueOf<K extends PlainKey> = (typeof PLAIN_SETTINGS)[K]['schema']['_output'];

export type BuiltSettings = {
  readonly settings: EffectiveSettings;
  /** Values that were left out or corrected, one line each. */
  readonly problems: readonly string[];
};

/**
 * The effective settings of these layers. Writes are checked against all rules, but files differ between processes and versions between nodes: a
 * value that cannot be read gives way to the layer below, and a limit below the one it must not be below is raised to it (invariant I4).
 */
export function buildEffectiveSettings(layers: SettingsLayers, version: number): BuiltSettings {
  const corrected = new Map<string, number>();
  const problems = unreadableValues(layers);
  const value = (key: string): unknown => corrected.get(key) ?? resolveSetting(layers, key).value;
  for (const rule of SETTINGS_RULES) {
    const least = Number(value(rule.smaller)) * rule.factor;
    if (least <= Number(value(rule.larger))) continue;
    const texts = [rule.smaller, rule.larger].map((key) => resolveSetting(layers, key).text);
    problems.push(`${describeBroken(rule, texts[0] ?? '', texts[1] ?? '')}; raised to it`);
    corrected.set(rule.larger, least);
  }
  return { settings: settingsFrom(value, version), problems };
}

function settingsFrom(value: (key: string) => unknown, version: number): EffectiveSettings {
  const plain = <K extends PlainKey>(key: K): ValueOf<K> => value(key) as ValueOf<K>;
  const master = plain('weir.admission.mode');
  return {
    version,
    admission: {
      mode: master,
      signals: signalsFrom(value, master),
      leaveMargin: plain('weir.admission.leave_margin'),
      minHoldMs: plain('weir.admission.min_hold'),
      maxShedRatio: plain('weir.admission.max_shed_ratio'),
      corroborate: plain('weir.admission.corroborate'),
      epochMs: plain('weir.admission.epoch'),
      statsTtlMs: plain('weir.admission.stats_ttl'),
      coordinatorEnabled: plain('weir.admission.coordinator.enabled'),
    },
    stats: { intervalMs: plain('weir.stats.interval') },
    indexingPressure: {
      limit: plain('weir.indexing_pressure.limit'),
      replicaFactor: plain('weir.indexing_pressure.replica_factor'),
    },
    replication: {
      onReplicaRefusal: plain('weir.replication.on_replica_refusal'),
      retryTimeoutMs: plain('weir.replication.retry_timeout'),
      reserve: plain('weir.replication.reserve'),
    },
    bulk: { refusal: plain('weir.bulk.refusal'), maxBodyBytes: plain('weir.bulk.max_body') },
    retryAfter: {
      enabled: plain('weir.retry_after.enabled'),
      minMs: plain('weir.retry_after.min'),
      maxMs: plain('weir.retry_after.max'),
    },
    log: { refusalsPerSecond: plain('weir.log.refusals_per_second') },
    opensearch: { onAgentLoss: plain('weir.opensearch.on_agent_loss') },
    autoCreateIndex: plain('action.auto_create_index'),
    maxShardsPerNode: plain('cluster.max_shards_per_node'),
  };
}

function signalsFrom(
  value: (key: string) => unknown,
  master: Mode,
): Readonly<Record<SignalName, SignalSettings>> {
  const limit = (signal: SignalName, role: 'primary' | 'replica' | 'coordinator'): Limit => ({
    soft: Number(value(limitKey(signal, role, 'soft'))),
    hard: Number(value(limitKey(signal, role, 'hard'))),
  });
  const all = SIGNALS.map((signal): [SignalName, SignalSettings] => {
    const mode = value(modeKey(signal)) as (typeof SIGNAL_MODES)[number];
    const coordinator = rolesOf(signal).includes('coordinator') ? limit(signal, 'coordinator') : undefined;
    const limits = { primary: limit(signal, 'primary'), replica: limit(signal, 'replica'), coordinator };
    return [signal, { mode: mode === 'inherit' ? master : mode, limits }];
  });
  return Object.fromEntries(all) as Record<SignalName, SignalSettings>;
}

function unreadableValues(layers: SettingsLayers): string[] {
  const values = [...layers.transient, ...layers.persistent, ...layers.file];
  return values.flatMap(([key, text]) => {
    const reading = readSetting(key, text);
    return 'problem' in reading ? [`${reading.problem}; left out`] : [];
  });
}
