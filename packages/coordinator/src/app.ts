// The HTTP service of a coordinator: every route in one table, and what is common to all answers.
import { errorHandler, noHandler, type RouteSpec, routerOf, type WeirError } from '@weir/shared';
import express, { type Express, type Request } from 'express';
import { shapeReply } from './http/shape-reply.ts';

export type AppParts = {
  readonly routes: readonly RouteSpec[];
  /** Shows Elastic's product header on every answer. */
  readonly elasticCompat: boolean;
  /** Hears of failures that are this coordinator's own fault. */
  readonly report: (error: WeirError, request: Request) => void;
};

/** The service, not yet listening. */
export function coordinatorApp({ routes, elasticCompat, report }: AppParts): Express {
  const app = express();
  app.disable('x-powered-by');
  // An ETag would hash every answer once more, and no client of a search engine asks for one twice.
  app.disable('etag');
  app.use(shapeReply(elasticCompat));
  app.use(routerOf(inOrder(routes)));
  app.use(noHandler);
  app.use(errorHandler(report));
  return app;
}

/** Fixed paths before those that begin with an index: `/_mget` is never an index called `_mget`. */
function inOrder(routes: readonly RouteSpec[]): readonly RouteSpec[] {
  const byIndex = (spec: RouteSpec): boolean => spec.path.startsWith('/:');
  return [...routes.filter((spec) => !byIndex(spec)), ...routes.filter(byIndex)];
}
