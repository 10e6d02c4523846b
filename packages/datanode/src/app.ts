// The HTTP service of a data node: the cluster's own processes bring it writes and ask it for documents.
import {
  decodeReplicaRequest,
  decodeShardRequest,
  INTERNAL_PATHS,
  type RouteSpec,
  route,
} from '@weir/shared';
import type { Express, Request } from 'express';
import type { CopyRef } from './engine/engine.ts';
import { collectBody } from './http/collect-body.ts';
import { readRoutes } from './reads/read-routes.ts';
import { mostFrameBytes, type ServicePorts, serviceApp } from './service-app.ts';
import { handlePrimary } from './shard/handle-primary.ts';
import { handleReplica } from './shard/handle-replica.ts';
import { permitRoutes } from './shard/permit-routes.ts';
import type { ReplicaPermits } from './shard/replica-permits.ts';
import { PERMITS_HEADER } from './shard/reserve-replicas.ts';
import type { ShardPorts } from './shard/shard-ports.ts';

export type DataNodePorts = ServicePorts & {
  readonly shard: ShardPorts;
  readonly permits: ReplicaPermits;
  readonly openForRead: (copy: CopyRef) => Promise<void>;
};

/** A replica's part is cut into frames by its primary, and what it holds is applied there: only nonsense is larger (1 GiB is the largest body there can be). */
const REPLICA_FRAME_BYTES = mostFrameBytes(2 ** 30);

/** The service, not yet listening. */
export function dataNodeApp(ports: DataNodePorts): Express {
  return serviceApp(ports, internalRoutes(ports));
}

function internalRoutes({ shard, permits, openForRead }: DataNodePorts): RouteSpec[] {
  const body = (request: Request): Promise<Buffer> =>
    collectBody(request, mostFrameBytes(shard.settings().bulk.maxBodyBytes));
  return [
    route('POST', INTERNAL_PATHS.primary, async (request, response) => {
      response.json(await handlePrimary(decodeShardRequest(await body(request)), shard));
    }),
    route('POST', INTERNAL_PATHS.replica, async (request, response) => {
      const part = decodeReplicaRequest(await collectBody(request, REPLICA_FRAME_BYTES));
      // What has a permit was judged when it got it.
      const letPass = permits.use(request.headers[PERMITS_HEADER]) || request.query['let_pass'] === 'true';
      response.json(await handleReplica(part, letPass, shard));
    }),
    ...permitRoutes(permits),
    ...readRoutes({ engine: shard.engine, openForRead, body }),
  ];
}
