// By which routes do other nodes ask for a permit for a replica's part, and give it back?
import {
  INTERNAL_PATHS,
  type RouteSpec,
  releaseRequestSchema,
  reserveRequestSchema,
  route,
} from '@weir/shared';
import { collectBody } from '../http/collect-body.ts';
import { parseBody } from '../http/parse-body.ts';
import type { ReplicaPermits } from './replica-permits.ts';

/** An index name, some numbers and an id. */
const MOST_BYTES = 16_384;

export function permitRoutes(permits: ReplicaPermits): RouteSpec[] {
  return [
    route('POST', INTERNAL_PATHS.reserve, async (request, response) => {
      response.json(
        await permits.grant(parseBody(await collectBody(request, MOST_BYTES), reserveRequestSchema)),
      );
    }),
    route('POST', INTERNAL_PATHS.release, async (request, response) => {
      const { permit } = parseBody(await collectBody(request, MOST_BYTES), releaseRequestSchema);
      response.json({ released: permits.release(permit) });
    }),
  ];
}
