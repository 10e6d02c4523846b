// The settings every signal has: its mode, and per role where refusing begins and where the most is refused.
import { MODES, type Role, SIGNALS, type SignalName } from '../admission/signals.ts';
import type { Limit } from './effective-settings.ts';
import { number, type Setting, word } from './setting.ts';

/** Where refusing begins (soft) and where the most is refused (hard); a signal that a role does not have is absent. */
const LIMITS: Readonly<Record<SignalName, Partial<Readonly<Record<Role, Limit>>>>> = {
  heap: {
    primary: { soft: 80, hard: 92 },
    replica: { soft: 88, hard: 96 },
    coordinator: { soft: 80, hard: 92 },
  },
  queue: { primary: { soft: 400, hard: 500 }, replica: { soft: 600, hard: 750 } },
  cpu: {
    primary: { soft: 90, hard: 100 },
    replica: { soft: 95, hard: 100 },
    coordinator: { soft: 95, hard: 100 },
  },
  io: { primary: { soft: 90, hard: 100 }, replica: { soft: 95, hard: 100 } },
  event_loop: {
    primary: { soft: 90, hard: 100 },
    replica: { soft: 95, hard: 100 },
    coordinator: { soft: 92, hard: 100 },
  },
};

export const SIGNAL_MODES = ['inherit', ...MODES] as const;

/** Longest wait a queue limit can name. */
const MAX_QUEUE_MS = 600_000;

const WHAT: Readonly<Record<SignalName, string>> = {
  heap: 'percent of the real heap limit, after a major garbage collection',
  queue: 'ms of work waiting',
  cpu: "percent of the host's or the cgroup's processors",
  io: "percent of the data path's device",
  event_loop: 'percent of one core that the event loop uses',
};

/** Roles whose limits a signal has. */
export function rolesOf(signal: SignalName): readonly Role[] {
  return Object.keys(LIMITS[signal]) as Role[];
}

export function limitKey(signal: SignalName, role: Role, edge: keyof Limit): string {
  return `weir.admission.${signal}.${role}.${edge}`;
}

export function modeKey(signal: SignalName): string {
  return `weir.admission.${signal}.mode`;
}

function limitSetting(signal: SignalName, role: Role, edge: keyof Limit, fallback: number): Setting<number> {
  const max = signal === 'queue' ? MAX_QUEUE_MS : 100;
  const begins = edge === 'soft' ? 'Refusing begins' : 'The most is refused';
  return number(
    { min: 0, max, unit: signal === 'queue' ? 'ms' : '%' },
    fallback,
    `${begins} at this value of ${signal} for ${role} work: ${WHAT[signal]}.`,
  );
}

/** The mode and the limits of every signal, by key. */
export function signalSettings(): [string, Setting][] {
  return SIGNALS.flatMap((signal): [string, Setting][] => [
    [
      modeKey(signal),
      word(SIGNAL_MODES, 'inherit', `Mode of the signal ${signal} alone; inherit takes the master mode.`),
    ],
    ...Object.entries(LIMITS[signal]).flatMap(([role, { soft, hard }]): [string, Setting][] => [
      [limitKey(signal, role as Role, 'soft'), limitSetting(signal, role as Role, 'soft', soft)],
      [limitKey(signal, role as Role, 'hard'), limitSetting(signal, role as Role, 'hard', hard)],
    ]),
  ]);
}
