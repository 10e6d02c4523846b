// `set` lines of golden scripts: settings by the keys operators write, without their common prefix.
import { type EffectiveSettings, MODES, type Mode, SIGNALS, type SignalName } from '@weir/shared';
import { withMode, withSignal } from '@weir/shared/testing';

type Change = Partial<EffectiveSettings['admission']>;

const SIMPLE: Readonly<Record<string, (value: string) => Change>> = {
  corroborate: (value) => ({ corroborate: value === 'true' }),
  max_shed_ratio: (value) => ({ maxShedRatio: Number(value) }),
  leave_margin: (value) => ({ leaveMargin: Number(value) }),
  min_hold: (value) => ({ minHoldMs: milliseconds(value) }),
  stats_ttl: (value) => ({ statsTtlMs: milliseconds(value) }),
  'coordinator.enabled': (value) => ({ coordinatorEnabled: value === 'true' }),
};

/** Settings after `set key value`. */
export function changed(settings: EffectiveSettings, key: string, value: string): EffectiveSettings {
  const simple = SIMPLE[key];
  if (simple !== undefined) return withAdmission(settings, simple(value));
  if (key === 'mode') return withMode(settings, modeOf(value));
  if (key === 'master_mode') return withAdmission(settings, { mode: modeOf(value) });
  const [signal, what] = key.split('.');
  const name = signalOf(signal);
  if (what === 'mode') return withSignal(settings, name, { mode: modeOf(value) });
  const [soft, hard] = value.split('/').map(Number);
  const limit = { soft: Number(soft), hard: Number(hard ?? soft) };
  if (what === 'primary') return withSignal(settings, name, { limits: { primary: limit } });
  if (what === 'replica') return withSignal(settings, name, { limits: { replica: limit } });
  if (what === 'coordinator') return withSignal(settings, name, { limits: { coordinator: limit } });
  throw new Error(`no such setting in a golden script: ${key}`);
}

function withAdmission(settings: EffectiveSettings, change: Change): EffectiveSettings {
  return { ...settings, admission: { ...settings.admission, ...change } };
}

/** `500ms` or `2s` in milliseconds. */
export function milliseconds(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s)$/.exec(text);
  if (match === null) throw new Error(`not a time: ${text}`);
  return Number(match[1]) * (match[2] === 's' ? 1_000 : 1);
}

export function signalOf(text: string | undefined): SignalName {
  const signal = SIGNALS.find((name) => name === text);
  if (signal === undefined) throw new Error(`no such signal: ${text}`);
  return signal;
}

function modeOf(text: string): Mode {
  const mode = MODES.find((name) => name === text);
  if (mode === undefined) throw new Error(`no such mode: ${text}`);
  return mode;
}
