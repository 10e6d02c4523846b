// What a service owner needs to embed a coordinator: its gate, view and HTTP service.

export type * from './bulk/bulk-dependencies.ts';
export type * from './cluster/topology.ts';
export * from './config.ts';
