// Routes of bulks.
import { type RouteSpec, route } from '@weir/shared';
import { AutoIds } from './auto-id.ts';
import type { BulkDependencies } from './bulk-dependencies.ts';
import { handleBulk } from './handle-bulk.ts';
import { answeringRefusals } from './whole-refusal.ts';

export function bulkRoutes(deps: BulkDependencies): readonly RouteSpec[] {
  const handle = answeringRefusals(handleBulk(deps, new AutoIds(deps.clock, deps.rng)), deps.settings);
  return [route(['POST', 'PUT'], '/_bulk', handle), route(['POST', 'PUT'], '/:index/_bulk', handle)];
}
