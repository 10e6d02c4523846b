// The effective settings of an untouched cluster, and a short way to change some of them in a test.
import type { Mode, SignalName } from '../admission/signals.ts';
import type { EffectiveSettings, SignalSettings } from '../settings/effective-settings.ts';

type Limits = SignalSettings['limits'];

const PERCENT_LIMITS: Limits = {
  primary: { soft: 90, hard: 100 },
  replica: { soft: 95, hard: 100 },
  coordinator: { soft: 95, hard: 100 },
};

const SIGNALS_BY_DEFAULT: Record<SignalName, SignalSettings> = {
  cpu: { mode: 'enforced', limits: PERCENT_LIMITS },
  heap: {
    mode: 'enforced',
    limits: {
      primary: { soft: 80, hard: 92 },
      replica: { soft: 88, hard: 96 },
      coordinator: { soft: 80, hard: 92 },
    },
  },
  io: { mode: 'enforced', limits: { ...PERCENT_LIMITS, coordinator: undefined } },
  event_loop: { mode: 'enforced', limits: { ...PERCENT_LIMITS, coordinator: { soft: 92, hard: 100 } } },
  queue: {
    mode: 'enforced',
    limits: { primary: { soft: 400, hard: 500 }, replica: { soft: 600, hard: 750 }, coordinator: undefined },
  },
};

export const DEFAULT_SETTINGS: EffectiveSettings = {
  version: 0,
  admission: {
    mode: 'enforced',
    signals: SIGNALS_BY_DEFAULT,
    leaveMargin: 5,
    minHoldMs: 2_000,
    maxShedRatio: 0.95,
    corroborate: true,
    epochMs: 60_000,
    statsTtlMs: 5_000,
    coordinatorEnabled: true,
  },
  stats: { intervalMs: 1_000 },
  indexingPressure: { limit: { percent: 10 }, replicaFactor: 1.5 },
  replication: { onReplicaRefusal: 'retry', retryTimeoutMs: 60_000, reserve: 'auto' },
  bulk: { refusal: 'item', maxBodyBytes: 100 * 1024 * 1024 },
  retryAfter: { minMs: 1_000, maxMs: 60_000 },
  log: { refusalsPerSecond: 5 },
};

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
