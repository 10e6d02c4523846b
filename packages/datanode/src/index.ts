// What a service owner needs to embed a data node: its engine, guard, signals and HTTP service.
export type * from './engine/engine.ts';
export type * from './shard/admitted.ts';
