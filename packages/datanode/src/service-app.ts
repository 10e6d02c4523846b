// The HTTP service of a process beside the data: internal routes for the cluster's own processes, and what operators and probes look at.
import {
  errorHandler,
  type Metrics,
  noHandler,
  type RecordDecisions,
  type RouteSpec,
  route,
  routerOf,
  WEIR_VERSION,
  type WeirError,
} from '@weir/shared';
import express, { type Express, type Request, type RequestHandler } from 'express';
import type { Readiness } from './http/readiness.ts';
import { type LocalStatsPorts, localStats } from './stats/local-stats.ts';

export type ServicePorts = {
  readonly stats: LocalStatsPorts;
  readonly recorder: RecordDecisions;
  readonly metrics: Metrics;
  /** Lets only the cluster's own processes through. */
  readonly access: RequestHandler;
  readonly readiness: () => Readiness;
  /** Hears of failures that are this node's own fault. */
  readonly report: (error: WeirError, request: Request) => void;
};

/** Beside the sources a frame carries ids, lengths or names of each operation: for a large body about as many bytes again at most. */
const FRAME_PER_BODY = 2;
/**
 * For a small body of small documents much more: an index that was named once, in the path, is named for each of them. 5,000 operations, the most
 * there are in a frame, with 255 bytes of a name, six times 512 of an id in escapes, and as much again for all else.
 */
const LEAST_FRAME_BYTES = 32 * 2 ** 20;

/** Largest frame that a client's body of the allowed size can become. */
export function mostFrameBytes(maxBodyBytes: number): number {
  return Math.max(LEAST_FRAME_BYTES, FRAME_PER_BODY * maxBodyBytes);
}

/** The service, not yet listening. `internal`: routes below /_weir/internal. */
export function serviceApp(ports: ServicePorts, internal: readonly RouteSpec[]): Express {
  const app = express();
  app.disable('x-powered-by');
  // An ETag would hash every answer once more, and nobody here asks for one twice.
  app.disable('etag');
  // First what comes hundreds of times a second.
  app.use('/_weir/internal', ports.access);
  app.use(routerOf(internal));
  app.use(routerOf(openRoutes(ports)));
  app.use(noHandler);
  app.use(errorHandler(ports.report));
  return app;
}

function openRoutes({ stats, recorder, metrics, readiness }: ServicePorts): RouteSpec[] {
  const { identity, clusterName } = stats;
  return [
    route('GET', '/', (_request, response) => {
      const version = { distribution: 'weir', number: WEIR_VERSION };
      response.json({ name: identity.name, cluster_name: clusterName, role: 'data', version });
    }),
    route('GET', '/livez', (_request, response) => void response.json({ status: 'ok' })),
    route('GET', '/readyz', (request, response) => {
      const { ready, checks } = readiness();
      const shown = request.query['verbose'] === undefined ? {} : { checks };
      response.status(ready ? 200 : 503).json({ status: ready ? 'ready' : 'not_ready', ...shown });
    }),
    route('GET', '/metrics', async (_request, response) => {
      response.setHeader('Content-Type', metrics.contentType);
      response.end(await metrics.text());
    }),
    route('GET', '/_weir/rejections', (request, response) => {
      const size = Math.min(1_000, Math.max(0, Math.floor(Number(request.query['size'] ?? 100)) || 0));
      response.json({ rejections: recorder.newest(size) });
    }),
    route('GET', '/_nodes/_local/stats', async (_request, response) => {
      response.json(await localStats(undefined, stats));
    }),
    route('GET', '/_nodes/_local/stats/:metrics', async (request, response) => {
      response.json(await localStats(String(request.params['metrics']), stats));
    }),
  ];
}
