// Fakes for time and chance, for tests, simulation and benchmarks; never imported by a service.
export { DEFAULT_SETTINGS, settingsWith, withMode, withSignal } from './default-settings.ts';
export { ManualClock } from './manual-clock.ts';
export { seededRng } from './seeded-rng.ts';
export { settle } from './settle.ts';
export { statsOfNode } from './stats-of-node.ts';
export { BusMemory, type UnreliableBus } from './unreliable-bus.ts';
