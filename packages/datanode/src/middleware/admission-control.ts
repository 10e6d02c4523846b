// Guards one single service: an Express middleware with the signals, the law and the settings of a data node.
import type { RequestHandler } from 'express';
import { type AdmissionControlOptions, GuardedService } from './guarded-service.ts';

export type { AdmissionControlOptions } from './guarded-service.ts';

/** The middleware; mount it before whatever reads bodies. */
export type AdmissionControl = RequestHandler & {
  /** Own signals, bytes in flight and refusals, in the shape of `_nodes/stats`. */
  stats(): Readonly<Record<string, unknown>>;
  /** Ends the sampling; requests then pass by the last that was known. */
  dispose(): void;
};

/** Refuses requests with 429 and Retry-After while this process is overloaded, before they cost anything. */
export function admissionControl(options: AdmissionControlOptions = {}): AdmissionControl {
  const service = new GuardedService(options);
  const handler: RequestHandler = (request, response, next) => service.handle(request, response, next);
  return Object.assign(handler, { stats: () => service.stats(), dispose: () => service.dispose() });
}
