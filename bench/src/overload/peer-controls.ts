// What an Express application can put before its routes against overload: nothing, a cap, or one of three packages.
import type { RequestHandler } from 'express';
import { rateLimit } from 'express-rate-limit';
import overloadProtection from 'overload-protection';
import tooBusy from 'toobusy-js';

/** By name; each reads the figure it is set to, where it takes one. */
export const CONTROLS: Readonly<Record<string, (limit: () => number) => RequestHandler>> = {
  nothing: () => (_request, _response, next) => next(),
  /** Not more requests at once than `limit`. */
  cap: inFlightCap,
  /** As it comes: refuses while the event loop lags by more than 42 ms. */
  'overload-protection': () => overloadProtection('express'),
  /** As it comes: refuses more and more from a lag of 70 ms on. */
  'toobusy-js': () => (_request, response, next) => {
    if (tooBusy()) response.status(503).end();
    else next();
  },
  /** Not more requests a second than `limit`, over all clients. */
  'express-rate-limit': (limit) =>
    rateLimit({ windowMs: 1_000, limit: () => Math.round(limit()), keyGenerator: () => 'everybody' }),
};

function inFlightCap(limit: () => number): RequestHandler {
  let inFlight = 0;
  return (_request, response, next) => {
    if (inFlight >= limit()) {
      response.status(503).end();
      return;
    }
    inFlight += 1;
    response.once('close', () => {
      inFlight -= 1;
    });
    next();
  };
}
