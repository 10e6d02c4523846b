// A list of routes that also knows what to answer where a path or a method is unknown: JSON, with the allowed methods.
import { type NextFunction, type Request, type RequestHandler, type Response, Router } from 'express';
import { WeirError } from '../ops/errors.ts';
import { sendError } from './error-response.ts';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
/** Answers a request; what it throws becomes a JSON error. */
export type Handler = (request: Request, response: Response) => void | Promise<void>;
export type RouteSpec = {
  readonly methods: readonly Method[];
  readonly path: string;
  readonly handle: Handler;
};

/** One handler of one path for several methods. HEAD is answered by GET's handler where HEAD has none of its own. */
export function route(methods: Method | readonly Method[], path: string, handle: Handler): RouteSpec {
  return { methods: typeof methods === 'string' ? [methods] : methods, path, handle };
}

/** A router of these routes, first match wins; another method on a known path is a 405 with `Allow`. */
export function routerOf(specs: readonly RouteSpec[]): Router {
  const router = Router({ caseSensitive: true, strict: false });
  const byPath = new Map<string, RouteSpec[]>();
  for (const spec of specs) byPath.set(spec.path, [...(byPath.get(spec.path) ?? []), spec]);
  for (const [path, own] of byPath) router.all(path, dispatch(own));
  return router;
}

function dispatch(specs: readonly RouteSpec[]): RequestHandler {
  const handlers = new Map<string, Handler>();
  for (const spec of specs) for (const method of spec.methods) handlers.set(method, spec.handle);
  const get = handlers.get('GET');
  if (get !== undefined && !handlers.has('HEAD')) handlers.set('HEAD', get);
  const allowed = [...handlers.keys()].join(', ');
  return async (request, response, next) => {
    const handle = handlers.get(request.method);
    // `/{index}` also fits an API that is not there, and no index begins with an underscore.
    if (handle === undefined && String(request.params['index'] ?? '').startsWith('_')) return next();
    if (handle === undefined) {
      response.setHeader('Allow', allowed);
      next(
        new WeirError(
          'method_not_allowed',
          `Incorrect HTTP method for uri [${request.path}] and method [${request.method}], allowed: [${allowed}]`,
        ),
      );
      return;
    }
    await handle(request, response);
  };
}

/** Ends a chain of routers: what nobody handled is a 400 that names it. */
export function noHandler(request: Request, _response: Response, next: NextFunction): void {
  next(
    new WeirError(
      'no_handler',
      `no handler found for uri [${request.originalUrl}] and method [${request.method}]`,
    ),
  );
}

/** Express's error handler: every failure leaves as JSON; `report` hears of what is our own fault (5xx). */
export function errorHandler(report: (error: WeirError, request: Request) => void) {
  return (thrown: unknown, request: Request, response: Response, _next: NextFunction): void => {
    const error = fromExpress(thrown, request);
    if (error.status >= 500) report(error, request);
    sendError(response, error);
  };
}

/** Express itself throws on a path that is not valid percent-encoding; all else is passed on. */
function fromExpress(thrown: unknown, request: Request): WeirError {
  if (thrown instanceof WeirError) return thrown;
  if (thrown instanceof URIError)
    return new WeirError('illegal_argument', `path [${request.url}] is not valid percent-encoding`);
  return new WeirError('internal', thrown instanceof Error ? thrown.message : String(thrown), {
    cause: thrown,
  });
}
