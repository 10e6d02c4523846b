// The closed lists of signals, roles and modes that limits, states, metrics and log lines are keyed by.

/** Signals in charge order: on equal stress the first one is the culprit. */
export const SIGNALS = ['heap', 'queue', 'cpu', 'io', 'event_loop'] as const;
export type SignalName = (typeof SIGNALS)[number];

/** What a limit guards: a primary's or a replica's work at a data node, or the coordinator's own work. */
export const ROLES = ['primary', 'replica', 'coordinator'] as const;
export type Role = (typeof ROLES)[number];

export const MODES = ['enforced', 'monitor_only', 'disabled'] as const;
export type Mode = (typeof MODES)[number];

/** How far a reading can be trusted: `warming` until the first full window, `unavailable` when its source fails. */
export const QUALITIES = ['warming', 'ok', 'unavailable'] as const;
export type Quality = (typeof QUALITIES)[number];
