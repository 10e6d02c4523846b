// Who may use the routes between nodes and write settings: whoever knows the cluster's secret, or everyone where that is safe or was asked for.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import type { Access } from '../ops/base-config.ts';
import { WeirError } from '../ops/errors.ts';
import type { Handler } from './route-table.ts';

/** Carries the cluster's secret from node to node, and from an operator who writes settings. */
export const SECRET_HEADER = 'x-weir-cluster-secret';

/** Judges the secret a request brings: undefined when it may pass, else the error to answer with. */
export type AccessCheck = (given: string | undefined) => WeirError | undefined;

/**
 * A configured secret is always asked for. Without one, a listener that only this machine reaches is open, and so is one started with
 * `--insecure`; any other is closed to everyone, since nothing tells a node of the cluster from a stranger.
 */
export function accessCheck(access: Access): AccessCheck {
  const { secret } = access;
  if (secret !== undefined) {
    const expected = digest(secret);
    return (given) => {
      if (given === undefined) return refusal(`needs the header ${SECRET_HEADER}`);
      return timingSafeEqual(digest(given), expected) ? undefined : refusal(`got a wrong ${SECRET_HEADER}`);
    };
  }
  if (access.loopbackOnly || access.insecure) return () => undefined;
  return () =>
    refusal('is closed: this node listens beyond loopback without a WEIR_CLUSTER_SECRET or --insecure');
}

/** Express middleware for internal routes; put it before whatever reads the body. */
export function clusterAccess(access: Access): RequestHandler {
  const check = accessCheck(access);
  return (request, _response, next) => next(check(secretOf(request)));
}

/** The same for one handler of a route table, such as a write of settings. */
export function withClusterAccess(access: Access, handle: Handler): Handler {
  const check = accessCheck(access);
  return (request, response) => {
    const refused = check(secretOf(request));
    if (refused !== undefined) throw refused;
    return handle(request, response);
  };
}

function secretOf(request: Request): string | undefined {
  const given = request.headers[SECRET_HEADER];
  return typeof given === 'string' ? given : undefined;
}

/** The headers by which this node shows other nodes that it belongs to the cluster. */
export function accessHeaders(access: Access): Readonly<Record<string, string>> {
  return access.secret === undefined ? {} : { [SECRET_HEADER]: access.secret };
}

/** Of equal length whatever was given, so that comparing takes the same time. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function refusal(why: string): WeirError {
  return new WeirError('forbidden', `this route ${why}`);
}
