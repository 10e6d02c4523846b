// The dynamic settings of a configuration file: checked at start as strictly as a request, all mistakes at once.
import { nearestKey } from './nearest-key.ts';
import { type FlatSettings, readSetting, resolveSetting } from './settings-layers.ts';
import { brokenRule } from './settings-rules.ts';
import { DYNAMIC_KEYS, SETTINGS } from './settings-schema.ts';

/** Flat settings as a file gives them, values as text; `checkFileSettings` says whether they are right. */
export function fileSettings(given: Readonly<Record<string, unknown>>): FlatSettings {
  return new Map(Object.entries(given).map(([key, value]) => [key, textOf(value)]));
}

/** What is wrong with the settings of a file, one line each; empty when nothing is. */
export function checkFileSettings(given: Readonly<Record<string, unknown>>): readonly string[] {
  const file = fileSettings(given);
  const problems = [...file].flatMap(([key, text]) => problemOf(key, text));
  if (problems.length > 0) return problems;
  const layers = { transient: new Map(), persistent: new Map(), file };
  const broken = brokenRule((key) => resolveSetting(layers, key));
  return broken === undefined ? [] : [broken];
}

function problemOf(key: string, text: string): readonly string[] {
  if (SETTINGS.get(key)?.dynamic !== true) {
    const nearest = nearestKey(key, DYNAMIC_KEYS);
    return [`setting [${key}], not recognized${nearest === undefined ? '' : `, did you mean [${nearest}]?`}`];
  }
  const reading = readSetting(key, text);
  return 'problem' in reading ? [reading.problem] : [];
}

function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
