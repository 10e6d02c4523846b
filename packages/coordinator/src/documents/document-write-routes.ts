// Routes that write one document.
import { type OperationKind, type RouteSpec, route } from '@weir/shared';
import { AutoIds } from '../bulk/auto-id.ts';
import type { BulkDependencies } from '../bulk/bulk-dependencies.ts';
import { answeringRefusals } from '../bulk/whole-refusal.ts';
import { writeDocument } from './write-document.ts';

export function documentWriteRoutes(deps: BulkDependencies): readonly RouteSpec[] {
  const autoIds = new AutoIds(deps.clock, deps.rng);
  const write = (kind: OperationKind) => answeringRefusals(writeDocument(kind, deps, autoIds), deps.settings);
  return [
    route(['PUT', 'POST'], '/:index/_doc/:id', write('index')),
    route('POST', '/:index/_doc', write('index')),
    route(['PUT', 'POST'], '/:index/_create/:id', write('create')),
    route('DELETE', '/:index/_doc/:id', write('delete')),
    route('POST', '/:index/_update/:id', write('update')),
  ];
}
