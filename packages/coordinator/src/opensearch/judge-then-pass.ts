// A write of one document: judged like a shard request of one operation, then passed on exactly as it came.
import { type Handler, type OperationKind, type RouteSpec, route } from '@weir/shared';
import type { Request } from 'express';
import { hasBody } from '../bulk/body-format.ts';
import type { BulkDependencies } from '../bulk/bulk-dependencies.ts';
import { collectBody } from '../bulk/collect-body.ts';
import { CoordinatorBytes } from '../bulk/coordinator-bytes.ts';
import { identityOf } from '../bulk/request-identity.ts';
import { answeringRefusals, WholeRefusal } from '../bulk/whole-refusal.ts';
import type { Addressed } from '../cluster/topology.ts';
import { judgeWrite } from './judge-write.ts';
import { type PassThroughPorts, passThrough } from './pass-through.ts';

const NO_BODY = Buffer.alloc(0);

/** Every route that writes one document. */
export function judgedWriteRoutes(deps: BulkDependencies, passing: PassThroughPorts): readonly RouteSpec[] {
  const write = (kind: OperationKind): Handler =>
    answeringRefusals(judgeThenPass(kind, deps, passing), deps.settings);
  return [
    route(['PUT', 'POST'], '/:index/_doc/:id', write('index')),
    route('POST', '/:index/_doc', write('index')),
    route(['PUT', 'POST'], '/:index/_create/:id', write('create')),
    route('DELETE', '/:index/_doc/:id', write('delete')),
    route('POST', '/:index/_update/:id', write('update')),
  ];
}

function judgeThenPass(kind: OperationKind, deps: BulkDependencies, passing: PassThroughPorts): Handler {
  return async (request, response) => {
    const startMs = deps.clock.nowMs();
    const identity = identityOf(request, deps.rng);
    const { index, id } = request.params;
    const addressed = addressedBy(request, String(index));
    const bytes = new CoordinatorBytes(deps, identity, addressed.index);
    try {
      const body = await readBody(request, bytes, deps);
      const target = deps.topology.resolve(addressed);
      const write = {
        ...{ kind, target, body, index: addressed.index },
        id: typeof id === 'string' ? id : undefined,
      };
      const refusal = judgeWrite(write, identity, deps);
      if (refusal !== undefined) throw new WholeRefusal(refusal);
      await passThrough(request, response, passing, body.length > 0 ? body : undefined);
      count(response.statusCode, deps);
    } catch (thrown) {
      if (thrown instanceof WholeRefusal) deps.metrics.bulkOperations.inc({ outcome: 'refused' });
      throw thrown;
    } finally {
      bytes.release();
      deps.metrics.bulkSeconds.observe((deps.clock.nowMs() - startMs) / 1_000);
    }
  };
}

async function readBody(
  request: Request,
  budget: CoordinatorBytes,
  { settings, timers }: BulkDependencies,
): Promise<Buffer> {
  if (!hasBody(request)) return NO_BODY;
  const limit = { maxBytes: settings().bulk.maxBodyBytes, setting: 'weir.bulk.max_body' };
  return collectBody(request, { limit, budget, timers, asCame: true });
}

/** What OpenSearch will complain of is not complained of here. */
function addressedBy(request: Request, index: string): Addressed {
  const query = new URLSearchParams(request.originalUrl.split('?').slice(1).join('?'));
  const requireAlias = query.get('require_alias');
  return {
    index,
    routing: query.get('routing') ?? undefined,
    pipeline: query.get('pipeline') ?? undefined,
    requireAlias: requireAlias === '' || requireAlias === 'true',
  };
}

/** A delete of nothing is a 404 and no failure. */
function count(status: number, { metrics }: BulkDependencies): void {
  const outcome = status < 300 || status === 404 ? 'accepted' : status === 429 ? 'refused' : 'failed';
  metrics.bulkOperations.inc({ outcome });
}
