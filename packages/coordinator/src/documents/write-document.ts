// Writes one document: the same way as a bulk of one action, answered in the shape of a single document.
import {
  checkIndexName,
  type Handler,
  type ItemError,
  OPERATION_OVERHEAD_BYTES,
  type OperationKind,
  WeirError,
} from '@weir/shared';
import type { Request, Response } from 'express';
import { isRefusal } from '../bulk/assemble-response.ts';
import type { AutoIds } from '../bulk/auto-id.ts';
import { checkContentType, checkNotGzip, hasBody } from '../bulk/body-format.ts';
import type { BulkAction } from '../bulk/bulk-action.ts';
import type { BulkDependencies } from '../bulk/bulk-dependencies.ts';
import { collectBody } from '../bulk/collect-body.ts';
import { CoordinatorBytes } from '../bulk/coordinator-bytes.ts';
import { itemBody } from '../bulk/item-answer.ts';
import { identityOf } from '../bulk/request-identity.ts';
import { runOperations } from '../bulk/run-operations.ts';
import type { ForwardContext } from '../bulk/try-shard.ts';
import { problemOf } from '../bulk/validate-action.ts';
import { sendFailure } from '../bulk/whole-refusal.ts';
import { type DocumentParameters, readDocumentParameters } from './document-parameters.ts';

/** The handler of one kind of write. */
export function writeDocument(given: OperationKind, deps: BulkDependencies, autoIds: AutoIds): Handler {
  return async (request, response) => {
    const startMs = deps.clock.nowMs();
    const identity = identityOf(request, deps.rng);
    const parameters = readDocumentParameters(request, given, deps.timeouts.clientMs);
    const index = String(request.params['index']);
    checkIndexName(index);
    const bytes = new CoordinatorBytes(deps, identity, index);
    try {
      const source =
        parameters.kind === 'delete' ? Buffer.alloc(0) : await readDocument(request, bytes, deps);
      bytes.take(OPERATION_OVERHEAD_BYTES);
      const action = actionOf(request, index, source, parameters);
      const client = { target: request.originalUrl, rawHeaders: request.rawHeaders, body: source };
      await run(response, action, parameters, { identity, client }, deps, autoIds);
    } finally {
      bytes.release();
      deps.metrics.bulkSeconds.observe((deps.clock.nowMs() - startMs) / 1_000);
    }
  };
}

async function readDocument(
  request: Request,
  bytes: CoordinatorBytes,
  { settings, timers }: BulkDependencies,
): Promise<Buffer> {
  if (!hasBody(request)) throw new WeirError('parse', 'request body is required');
  checkContentType(request);
  const limit = { maxBytes: settings().bulk.maxBodyBytes, setting: 'weir.bulk.max_body' };
  const body = await collectBody(request, { limit, budget: bytes, timers });
  if (body.length === 0) throw new WeirError('parse', 'request body is required');
  checkNotGzip(body);
  return body;
}

function actionOf(
  request: Request,
  index: string,
  source: Buffer,
  { kind, routing, conditions, requireAlias, fetchSource }: DocumentParameters,
): BulkAction {
  const { id } = request.params;
  const action = {
    line: 1,
    kind,
    index,
    id: typeof id === 'string' ? id : undefined,
    routing,
    source,
    conditions,
    requireAlias,
    pipeline: undefined,
    fetchSource,
  };
  const problem = problemOf(action);
  if (problem !== undefined) throw new WeirError('validation', `Validation Failed: 1: ${problem};`);
  return action;
}

async function run(
  response: Response,
  action: BulkAction,
  { timeoutMs, refresh, waitForActiveShards, fetchSource }: DocumentParameters,
  asked: Pick<ForwardContext, 'client' | 'identity'>,
  deps: BulkDependencies,
  autoIds: AutoIds,
): Promise<void> {
  const context = {
    ...asked,
    together: undefined,
    deadlineMs: deps.clock.nowMs() + timeoutMs,
    refresh,
    waitForActiveShards,
  };
  const { ids, results } = await runOperations([action], context, deps, autoIds);
  const [id = null] = ids;
  const [result] = results;
  if (result === undefined) throw new WeirError('internal', 'a write ended without a result');
  const outcome = result.ok ? 'accepted' : isRefusal(result) ? 'refused' : 'failed';
  deps.metrics.bulkOperations.inc({ outcome });
  const item = { index: action.index, id, result, fetchSource, forcedRefresh: refresh === 'true' };
  const { status: _, error, ...written } = itemBody(item);
  if (error !== undefined) {
    sendFailure(response, { ok: false, status: result.status, error: error as ItemError }, deps.settings);
    return;
  }
  if (result.status === 201) response.setHeader('Location', locationOf(action, id ?? ''));
  response.status(result.status).json(written);
}

function locationOf({ index, routing }: BulkAction, id: string): string {
  const query = routing === undefined ? '' : `?routing=${encodeURIComponent(routing)}`;
  return `/${encodeURIComponent(index ?? '')}/_doc/${encodeURIComponent(id)}${query}`;
}
