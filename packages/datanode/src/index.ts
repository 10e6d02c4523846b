// What a service owner needs to embed a data node: its engine, guard, signals and HTTP service.

export * from './config.ts';
export * from './data-node.ts';
export { type DataDirectory, openDataDirectory } from './engine/data-directory.ts';
export type * from './engine/engine.ts';
export { type SqliteEngine, type SqliteEngineOptions, sqliteEngine } from './engine/sqlite-engine.ts';
export * from './middleware/admission-control.ts';
export * from './opensearch/agent.ts';
export type * from './shard/admitted.ts';
export * from './signals/node-stats.ts';
export * from './signals/publish-stats.ts';
export * from './signals/stress-watch.ts';
export * from './signals/work-tracker.ts';
