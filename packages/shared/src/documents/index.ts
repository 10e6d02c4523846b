// Documents as both services handle them; an entry of its own, so that the engine's threads load nothing else of this package.
export * from './exact-json.ts';
export * from './hit-order.ts';
export * from './source-filter.ts';
