// Everything both services use: the words, the law of admission, settings, wire formats, ports.
export * from './admission/reasons.ts';
export * from './admission/signals.ts';
export * from './admission/verdict.ts';
export * from './bus/bus.ts';
export * from './cluster/index-metadata.ts';
export * from './ops/clock.ts';
export * from './ops/errors.ts';
export * from './settings/effective-settings.ts';
export * from './wire/node-stats.ts';
export * from './wire/operation.ts';
