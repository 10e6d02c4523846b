// The HTTP service in front of a cluster: Weir's own routes, those it judges, and everything else passed through.
import {
  type EffectiveSettings,
  errorHandler,
  type Handler,
  noHandler,
  type RouteSpec,
  routerOf,
  WeirError,
  watchesAnySignal,
} from '@weir/shared';
import express, { type Express, type Request, type RequestHandler, Router } from 'express';
import { shapeReply } from '../http/shape-reply.ts';

export type FrontAppParts = {
  /** Below `/_weir/`, and the paths of probes and metrics: never the cluster's. */
  readonly own: readonly RouteSpec[];
  /** Settings of both: always answered here. */
  readonly settings: readonly RouteSpec[];
  /** Bulks and document writes: passed through like the rest while admission is disabled. */
  readonly judged: readonly RouteSpec[];
  readonly passThrough: Handler;
  readonly inForce: () => EffectiveSettings;
  readonly elasticCompat: boolean;
  readonly report: (error: WeirError, request: Request) => void;
};

/** The service, not yet listening. */
export function frontApp(parts: FrontAppParts): Express {
  const { own, settings, judged, elasticCompat, report } = parts;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  const shape = shapeReply(elasticCompat);
  const weir = express.Router();
  weir.use(shape, routerOf(own), noHandler);
  app.use(refuseDangerousName);
  app.use(when(isPlainRead, (request, response) => parts.passThrough(request, response)));
  app.use(when(isWeirs, weir));
  app.use(byMethod(settings, shape));
  const writes = byMethod(judged, shape);
  app.use(when(() => watchesAnySignal(parts.inForce()), writes));
  app.use((request, response) => parts.passThrough(request, response));
  app.use(errorHandler(report));
  return app;
}

function isWeirs({ path }: Request): boolean {
  return path.startsWith('/_weir/') || path === '/_weir' || /^\/(?:livez|readyz|metrics)\/?$/.test(path);
}

/** A read that is the cluster's whatever else there is: most requests beside bulks are, and each router they do not pass saves them time. */
function isPlainRead(request: Request): boolean {
  return (
    (request.method === 'GET' || request.method === 'HEAD') &&
    !isWeirs(request) &&
    !request.path.startsWith('/_cluster')
  );
}

function when(condition: (request: Request) => boolean, handle: RequestHandler): RequestHandler {
  return (request, response, next) => (condition(request) ? handle(request, response, next) : next());
}

/** Other methods on the same paths are the cluster's, as is what none of these routes knows. */
function byMethod(specs: readonly RouteSpec[], shape: RequestHandler): Router {
  const router = Router({ caseSensitive: true, strict: false });
  for (const { methods, path, handle } of specs)
    router.all(path, (request, response, next) => {
      if (!methods.some((method) => method === request.method)) {
        next();
        return;
      }
      shape(request, response, () => undefined);
      return handle(request, response);
    });
  return router;
}

/** A control character in an index name can hang or break the cluster behind: such names never reach it. */
const DANGEROUS_NAME = /^\/[^/?]*%(?:[01][0-9a-f]|7f)/i;

const refuseDangerousName: RequestHandler = (request, _response, next) => {
  if (!DANGEROUS_NAME.test(request.originalUrl)) {
    next();
    return;
  }
  const name = request.originalUrl.slice(1).split(/[/?]/, 1)[0] ?? '';
  next(
    new WeirError(
      'invalid_index_name',
      `Invalid index name [${name.slice(0, 300)}], must not contain control characters`,
    ),
  );
};
