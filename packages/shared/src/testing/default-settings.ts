// The effective settings of an untouched cluster, and a short way to change some of them in a test.
import type { Mode, SignalName } from '../admission/signals.ts';
import type { EffectiveSettings, SignalSettings } from '../settings/effective-settings.ts';
import { buildEffectiveSettings } from '../settings/effective-settings-builder.ts';

type Limits = SignalSettings['limits'];

const NOTHING_SET = { transient: new Map(), persistent: new Map(), file: new Map() };

export const DEFAULT_SETTINGS: EffectiveSettings = buildEffectiveSettings(NOTHING_SET, 0).settings;

/** Default settings with some keys of the admission part changed. */
export function settingsWith(admission: Partial<EffectiveSettings['admission']>): EffectiveSettings {
  return { ...DEFAULT_SETTINGS, admission: { ...DEFAULT_SETTINGS.admission, ...admission } };
}

/** Settings with one signal's mode or limits changed. */
export function withSignal(
  settings: EffectiveSettings,
  signal: SignalName,
  change: { readonly mode?: Mode; readonly limits?: Partial<Limits> },
): EffectiveSettings {
  const old = settings.admission.signals[signal];
  const next = { mode: change.mode ?? old.mode, limits: { ...old.limits, ...change.limits } };
  return settingsWithSignals(settings, { ...settings.admission.signals, [signal]: next });
}

/** Settings with one mode for every signal, as the master mode gives it to all that inherit. */
export function withMode(settings: EffectiveSettings, mode: Mode): EffectiveSettings {
  const { signals } = settings.admission;
  return settingsWithSignals(settings, {
    cpu: { ...signals.cpu, mode },
    heap: { ...signals.heap, mode },
    io: { ...signals.io, mode },
    event_loop: { ...signals.event_loop, mode },
    queue: { ...signals.queue, mode },
  });
}

function settingsWithSignals(
  settings: EffectiveSettings,
  signals: EffectiveSettings['admission']['signals'],
): EffectiveSettings {
  return { ...settings, admission: { ...settings.admission, signals } };
}
