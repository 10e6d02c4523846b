// Which value of a setting counts: transient over persistent over file over default, unreadable ones left out.
import { SETTINGS } from './settings-schema.ts';

/** Settings by dotted key, values as text. */
export type FlatSettings = ReadonlyMap<string, string>;

export type SettingsLayers = {
  readonly transient: FlatSettings;
  readonly persistent: FlatSettings;
  /** Of this process alone. */
  readonly file: FlatSettings;
};

export const SETTING_SOURCES = ['transient', 'persistent', 'file', 'default'] as const;
export type SettingSource = (typeof SETTING_SOURCES)[number];

export type ResolvedSetting = {
  readonly text: string;
  readonly value: unknown;
  readonly source: SettingSource;
};

/** Read once: most settings are never set. */
const DEFAULTS: ReadonlyMap<string, ResolvedSetting> = new Map(
  [...SETTINGS].map(([key, setting]) => [
    key,
    { text: setting.default, value: setting.schema.parse(setting.default), source: 'default' },
  ]),
);

/** The value of `text` for the setting `key`, or in words what is wrong with it. */
export function readSetting(
  key: string,
  text: string,
): { readonly value: unknown } | { readonly problem: string } {
  const setting = SETTINGS.get(key);
  if (setting === undefined) return { problem: `setting [${shorten(key)}], not recognized` };
  const { success, data, error } = setting.schema.safeParse(text);
  if (success) return { value: data };
  const detail = error.issues[0]?.message ?? '';
  const why = detail === '' ? '' : `: ${detail}`;
  return {
    problem: `Failed to parse value [${shorten(text)}] for setting [${key}]${why}, allowed: ${setting.allowed}`,
  };
}

/** The value that counts. A value this version cannot read (a newer one may have written it) gives way to the layer below. */
export function resolveSetting(layers: SettingsLayers, key: string): ResolvedSetting {
  for (const source of ['transient', 'persistent', 'file'] as const) {
    const text = layers[source].get(key);
    if (text === undefined) continue;
    const reading = readSetting(key, text);
    if ('value' in reading) return { text, value: reading.value, source };
  }
  return DEFAULTS.get(key) ?? { text: '', value: undefined, source: 'default' };
}

/** Values and keys from outside are shown, never at any length. */
export function shorten(text: string): string {
  return text.length <= 200 ? text : `${text.slice(0, 200)}…`;
}
