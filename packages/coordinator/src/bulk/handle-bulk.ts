// Answers one bulk: body, actions, shards, decisions, answer; the first file of the data path.
import { checkIndexName, type Handler, OPERATION_OVERHEAD_BYTES, WeirError } from '@weir/shared';
import type { Request } from 'express';
import { QueryParameters } from '../http/query-parameters.ts';
import { assembleResponse } from './assemble-response.ts';
import type { AutoIds } from './auto-id.ts';
import { checkContentType, hasBody, isForm, notAcceptable } from './body-format.ts';
import type { BulkAction, BulkDefaults } from './bulk-action.ts';
import type { BulkDependencies } from './bulk-dependencies.ts';
import { collectBody } from './collect-body.ts';
import { CoordinatorBytes } from './coordinator-bytes.ts';
import { BulkParser } from './parse-bulk.ts';
import { identityOf } from './request-identity.ts';
import { runOperations } from './run-operations.ts';
import { sendWhole } from './send-whole.ts';
import { SLICE_ITEMS } from './slices.ts';
import { whyTogether } from './why-together.ts';
import { readWriteParameters } from './write-parameters.ts';

const LINE_FEED = 0x0a;

/** The handler of `_bulk` with and without an index in its path; what it throws is the answer to the whole request. */
export function handleBulk(deps: BulkDependencies, autoIds: AutoIds): Handler {
  return async (request, response) => {
    const startMs = deps.clock.nowMs();
    const identity = identityOf(request, deps.rng);
    const query = new QueryParameters(request);
    const isFront = deps.sendUnsplit !== undefined;
    const { routing, requireAlias, pipeline, fetchSource, timeoutMs, refresh, waitForActiveShards } =
      readWriteParameters(query, deps.timeouts.clientMs, isFront);
    if (!isFront) query.end();
    const index = indexOfPath(request, isFront);
    const bytes = new CoordinatorBytes(deps, identity, index ?? '');
    try {
      const body = await readBulkBody(request, bytes, deps);
      const defaults = { index, routing, requireAlias, fetchSource, pipeline };
      const actions = await parseActions(body, defaults, bytes, deps);
      const deadlineMs = deps.clock.nowMs() + timeoutMs;
      const client = { target: request.originalUrl, rawHeaders: request.rawHeaders, body };
      const together = isFront ? await whyTogether(query, actions, deps.yieldToLoop) : undefined;
      const context = { identity, client, together, deadlineMs, refresh, waitForActiveShards };
      const outcome = await runOperations(actions, context, deps, autoIds);
      if (outcome.whole !== undefined) {
        sendWhole(response, outcome.whole);
        return;
      }
      const tookMs = deps.clock.nowMs() - startMs;
      const answer = { ...outcome, actions, tookMs, forcedRefresh: refresh === 'true' };
      await assembleResponse(request, response, answer, deps);
    } finally {
      bytes.release();
      deps.metrics.bulkSeconds.observe((deps.clock.nowMs() - startMs) / 1_000);
    }
  };
}

/**
 * An invalid name in the path is wrong for every item, so the request is. An engine behind (`isFront`) may have aliases with capitals, and reads
 * names made of the date.
 */
function indexOfPath(request: Request, isFront: boolean): string | undefined {
  const index = request.params['index'];
  if (typeof index !== 'string') return undefined;
  if (!isFront) checkIndexName(index);
  else if (!index.startsWith('<')) checkIndexName(index.toLowerCase());
  return index;
}

/** curl's form type is read as far as telling its user that `-d` took the line feeds away; whole bodies have to name a type. */
async function readBulkBody(
  request: Request,
  bytes: CoordinatorBytes,
  { settings, timers }: BulkDependencies,
): Promise<Buffer> {
  if (!hasBody(request)) throw new WeirError('parse', 'request body is required');
  const form = isForm(request);
  if (!form) checkContentType(request);
  const limit = { maxBytes: settings().bulk.maxBodyBytes, setting: 'weir.bulk.max_body' };
  const body = await collectBody(request, { limit, budget: bytes, timers });
  if (form && body.at(-1) === LINE_FEED) throw notAcceptable(request.headers['content-type'] ?? '');
  return body;
}

/** All actions of a body that was checked to its end. What they take beside the body itself is paid for on the way. */
async function parseActions(
  body: Buffer,
  defaults: BulkDefaults,
  bytes: CoordinatorBytes,
  { yieldToLoop }: BulkDependencies,
): Promise<readonly BulkAction[]> {
  const parser = new BulkParser(body, defaults);
  for (let paidFor = 0; ; paidFor = parser.actions.length) {
    const done = parser.advance(SLICE_ITEMS);
    bytes.take((parser.actions.length - paidFor) * OPERATION_OVERHEAD_BYTES);
    if (done) return parser.actions;
    await yieldToLoop();
  }
}
