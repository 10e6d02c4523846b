// Writes the answer to a bulk: every item in the request's order, in pieces where there are many, so that no answer holds up the event loop.
import type { OperationResult } from '@weir/shared';
import type { Request, Response } from 'express';
import { contentType } from '../http/shape-reply.ts';
import { layoutOf } from './answer-layout.ts';
import type { BulkAction } from './bulk-action.ts';
import type { BulkDependencies } from './bulk-dependencies.ts';
import { itemText } from './item-answer.ts';
import type { Outcome } from './run-operations.ts';
import { inSlices, SLICE_ITEMS } from './slices.ts';
import { setRetryAfter } from './whole-refusal.ts';

export type BulkAnswer = Outcome & {
  readonly actions: readonly BulkAction[];
  readonly tookMs: number;
  readonly forcedRefresh: boolean;
};

type Ports = Pick<BulkDependencies, 'metrics' | 'settings' | 'yieldToLoop'>;
type Counts = { accepted: number; refused: number; failed: number; retryAfterMs: number | undefined };

/** Answers 200 whatever became of the items; `Retry-After` where any of them was refused. */
export async function assembleResponse(
  request: Request,
  response: Response,
  answer: BulkAnswer,
  ports: Ports,
): Promise<void> {
  const counts = await countOutcomes(answer.results, ports);
  setRetryAfter(response, counts.retryAfterMs, ports.settings);
  response.setHeader('Content-Type', contentType(request));
  const layout = layoutOf(request);
  const head = layout.head({
    took: Math.round(answer.tookMs),
    ...(answer.ingestTookMs === undefined ? {} : { ingest_took: answer.ingestTookMs }),
    errors: counts.refused + counts.failed > 0,
  });
  const between = head === '' ? '' : ',';
  if (answer.actions.length <= SLICE_ITEMS) {
    const items = layout.items(itemTexts(answer, 0));
    response.end(items === '' ? `{${head}}` : `{${head}${between}"items":[${items}]}`);
    return;
  }
  response.write(`{${head}`);
  let before = `${between}"items":[`;
  let end = '}';
  for (let start = 0; start < answer.actions.length && !response.destroyed; start += SLICE_ITEMS) {
    const items = layout.items(itemTexts(answer, start));
    if (items !== '') {
      await write(response, before + items);
      before = ',';
      end = ']}';
    }
    await ports.yieldToLoop();
  }
  response.end(end);
}

async function countOutcomes(results: readonly OperationResult[], ports: Ports): Promise<Counts> {
  const counts: Counts = { accepted: 0, refused: 0, failed: 0, retryAfterMs: undefined };
  await inSlices(results, ports.yieldToLoop, (result) => {
    if (result.ok) {
      counts.accepted += 1;
      return;
    }
    if (isRefusal(result)) counts.refused += 1;
    else counts.failed += 1;
    const waitMs = 'error' in result ? result.error.weir?.['retry_after_ms'] : undefined;
    if (waitMs !== undefined) counts.retryAfterMs = Math.max(counts.retryAfterMs ?? 0, Number(waitMs));
  });
  const { bulkOperations } = ports.metrics;
  bulkOperations.inc({ outcome: 'accepted' }, counts.accepted);
  bulkOperations.inc({ outcome: 'refused' }, counts.refused);
  bulkOperations.inc({ outcome: 'failed' }, counts.failed);
  return counts;
}

/** Refused by Weir's gate or guard, or by the engine behind it. */
export function isRefusal(result: OperationResult): boolean {
  return !result.ok && (result.status === 429 || ('error' in result && result.error.weir !== undefined));
}

/** JSON text of up to a slice of items from `start` on, each inside its action's name, with commas between. */
function itemTexts({ actions, results, ids, forcedRefresh }: BulkAnswer, start: number): string {
  const texts: string[] = [];
  const end = Math.min(start + SLICE_ITEMS, actions.length);
  for (let place = start; place < end; place += 1) {
    const action = actions[place];
    const result = results[place];
    if (action === undefined || result === undefined) continue;
    const { index, kind, fetchSource } = action;
    const item = { index, id: ids[place] ?? null, result, fetchSource, forcedRefresh };
    texts.push(`{"${kind}":${itemText(item)}}`);
  }
  return texts.join(',');
}

/** Waits where the client reads more slowly than we write. */
async function write(response: Response, text: string): Promise<void> {
  if (response.write(text) || response.destroyed) return;
  await new Promise<void>((resolve) => {
    const go = (): void => {
      response.off('drain', go);
      response.off('close', go);
      resolve();
    };
    response.once('drain', go);
    response.once('close', go);
  });
}
