// What a service owner needs to embed a coordinator: its gate, view and HTTP service.

export { AutoIds } from './bulk/auto-id.ts';
export type * from './bulk/bulk-action.ts';
export type * from './bulk/bulk-dependencies.ts';
export { bulkRoutes } from './bulk/bulk-routes.ts';
export { plainBodies } from './bulk/collect-body.ts';
export { BulkParser } from './bulk/parse-bulk.ts';
export { OperationRouter } from './bulk/route-operations.ts';
export { OwnTopology, type OwnTopologyParts } from './cluster/own-topology.ts';
export type * from './cluster/topology.ts';
export * from './config.ts';
export * from './coordinator.ts';
export { documentWriteRoutes } from './documents/document-write-routes.ts';
export type { AppliedVersion } from './settings/settings-bodies.ts';
export { type SettingsRoutesParts, settingsRoutes } from './settings/settings-routes.ts';
