// What a settings request makes of the settings there are: the new ones and what changed, or one error and nothing changed.
import { WeirError } from '../ops/errors.ts';
import { flattenSettings, type SettingText } from './flat-settings.ts';
import { nearestKey } from './nearest-key.ts';
import {
  type FlatSettings,
  readSetting,
  resolveSetting,
  type SettingsLayers,
  shorten,
} from './settings-layers.ts';
import { brokenRule } from './settings-rules.ts';
import { DYNAMIC_KEYS, SETTINGS } from './settings-schema.ts';
import { wildcardMatches } from './wildcard.ts';

export const SCOPES = ['persistent', 'transient'] as const;
export type Scope = (typeof SCOPES)[number];

/** One setting whose stored text changed; null: it was or is not set. */
export type SettingChange = {
  readonly scope: Scope;
  readonly key: string;
  readonly from: string | null;
  readonly to: string | null;
};

export type ChangedSettings = Readonly<Record<Scope, FlatSettings>> & {
  /** What the request set, whether or not it was set to the same before: what the answer shows. */
  readonly requested: Readonly<Record<Scope, FlatSettings>>;
  readonly changes: readonly SettingChange[];
};

/**
 * Applies a request body to the settings of `layers`: all of it or, by throwing, nothing. Null takes a setting away, with `*` all that match;
 * what is taken away goes before what is put.
 */
export function changeSettings(layers: SettingsLayers, body: unknown): ChangedSettings {
  const requests = readBody(body);
  for (const scope of SCOPES) checkRequest(scope, requests[scope]);
  const persistent = applyRequest(layers.persistent, requests.persistent);
  const transient = applyRequest(layers.transient, requests.transient);
  checkRules({ ...layers, persistent, transient });
  return {
    persistent,
    transient,
    requested: { persistent: putsOf(requests.persistent), transient: putsOf(requests.transient) },
    changes: [
      ...differences('persistent', layers.persistent, persistent),
      ...differences('transient', layers.transient, transient),
    ],
  };
}

type Request = ReadonlyMap<string, SettingText>;

function readBody(body: unknown): Readonly<Record<Scope, Request>> {
  if (body === undefined) throw new WeirError('parse', 'request body is required');
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new WeirError(
      'illegal_argument',
      'request body must be an object with [persistent] and [transient]',
    );
  const given = new Map<string, unknown>(Object.entries(body));
  const unknown = [...given.keys()].find((name) => !SCOPES.some((scope) => scope === name));
  if (unknown !== undefined)
    throw nothingToUpdate(` in unknown scope [${shorten(unknown)}], allowed are [${SCOPES.join(', ')}]`);
  const read = (scope: Scope): Request =>
    given.has(scope) ? flattenSettings(scope, given.get(scope)) : new Map();
  const requests = { persistent: read('persistent'), transient: read('transient') };
  if (requests.persistent.size + requests.transient.size === 0) throw nothingToUpdate('');
  return requests;
}

function nothingToUpdate(detail: string): WeirError {
  return new WeirError('validation', `Validation Failed: 1: no settings to update${detail};`);
}

function checkRequest(scope: Scope, request: Request): void {
  for (const [key, text] of request) {
    if (text === null && key.includes('*')) continue;
    const setting = SETTINGS.get(key);
    if (setting === undefined) throw unknownSetting(scope, key);
    if (!setting.dynamic)
      throw new WeirError('settings', `${scope} setting [${key}], not dynamically updateable`);
    if (text === null) continue;
    const reading = readSetting(key, text);
    if ('problem' in reading) throw new WeirError('illegal_argument', reading.problem);
  }
}

function unknownSetting(scope: Scope, key: string): WeirError {
  const nearest = nearestKey(key, DYNAMIC_KEYS);
  const hint = nearest === undefined ? '' : `, did you mean [${nearest}]?`;
  return new WeirError('settings', `${scope} setting [${shorten(key)}], not recognized${hint}`);
}

function applyRequest(current: FlatSettings, request: Request): FlatSettings {
  const gone = [...request].filter(([, text]) => text === null).map(([key]) => key);
  const exact = new Set(gone);
  const patterns = gone.filter((key) => key.includes('*'));
  const isGone = (key: string): boolean =>
    exact.has(key) || patterns.some((pattern) => wildcardMatches(pattern, key));
  const kept = [...current].filter(([key]) => !isGone(key));
  return new Map([...kept, ...putsOf(request)]);
}

function putsOf(request: Request): FlatSettings {
  const puts = new Map<string, string>();
  for (const [key, text] of request) if (text !== null) puts.set(key, text);
  return puts;
}

/** What is hidden by a transient value now counts once that is gone: the persistent settings have to be right by themselves. */
function checkRules(layers: SettingsLayers): void {
  const broken =
    brokenRule((key) => resolveSetting(layers, key)) ??
    brokenRule((key) => resolveSetting({ ...layers, transient: new Map() }, key));
  if (broken !== undefined) throw new WeirError('illegal_argument', broken);
}

function differences(scope: Scope, before: FlatSettings, after: FlatSettings): SettingChange[] {
  const keys = new Set([...before.keys(), ...after.keys()]);
  return [...keys].sort().flatMap((key) => {
    const [from, to] = [before.get(key) ?? null, after.get(key) ?? null];
    return from === to ? [] : [{ scope, key, from, to }];
  });
}
