// How settings are shown: in OpenSearch's shape nested or flat, and in Weir's own with the source of every value.
import {
  type EffectiveOption,
  type FlatSettings,
  nestSettings,
  type RecordedChange,
  resolveSetting,
  SETTINGS,
  type SettingsDocument,
  type SettingsLayers,
} from '@weir/shared';

/** Settings of one scope as they go into an answer. */
export function shownSettings(flat: FlatSettings, isFlat: boolean): Readonly<Record<string, unknown>> {
  return isFlat ? Object.fromEntries([...flat].sort()) : nestSettings(flat);
}

/** What counts where nothing was set through the API: the file's value or the default; options fixed at start as they came out. */
export function defaultsOf(layers: SettingsLayers, options: readonly EffectiveOption[]): FlatSettings {
  const defaults = new Map<string, string>();
  for (const { key, value } of options) if (value !== null) defaults.set(key, String(value));
  for (const [key, { dynamic }] of SETTINGS) {
    if (!dynamic || layers.persistent.has(key) || layers.transient.has(key)) continue;
    defaults.set(key, resolveSetting(layers, key).text);
  }
  return defaults;
}

/** A node with the version of the settings it has applied, and how old that knowledge is. */
export type AppliedVersion = { readonly node: string; readonly version: number; readonly ageMs: number };

/** `GET /_weir/settings`. */
export function weirSettingsBody(
  document: SettingsDocument,
  layers: SettingsLayers,
  applied: readonly AppliedVersion[],
): Readonly<Record<string, unknown>> {
  const last = document.history.at(-1);
  const dynamic = [...SETTINGS].filter(([, setting]) => setting.dynamic);
  const settings = dynamic.map(([key, setting]) => {
    const { text, source } = resolveSetting(layers, key);
    return [key, { value: text, source, default: setting.default }];
  });
  const nodes = applied.map(({ node, version, ageMs }) => [
    node,
    { version, versions_behind: Math.max(0, document.version - version), age_ms: Math.round(ageMs) },
  ]);
  return {
    version: document.version,
    author: last?.author ?? null,
    time: last === undefined ? null : isoTime(last),
    settings: Object.fromEntries(settings),
    nodes: Object.fromEntries(nodes),
  };
}

/** `GET /_weir/settings/history`, newest first. */
export function historyBody(history: readonly RecordedChange[]): Readonly<Record<string, unknown>> {
  const shown = history.toReversed().map((change) => ({
    version: change.version,
    author: change.author,
    time: isoTime(change),
    changes: change.changes.map(({ scope, key, from, to }) => ({ scope, key, old: from, new: to })),
  }));
  return { history: shown };
}

function isoTime({ at_wall_ms }: RecordedChange): string {
  return new Date(at_wall_ms).toISOString();
}
