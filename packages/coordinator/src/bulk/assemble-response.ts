// Writes the answer to a bulk: every item in the request's order, in pieces where there are many, so that no answer holds up the event loop.
import type { ItemResult } from '@weir/shared';
import type { Request, Response } from 'express';
import { filterPaths } from '../http/filter-path.ts';
import { contentType } from '../http/shape-reply.ts';
import type { BulkAction } from './bulk-action.ts';
import type { BulkDependencies } from './bulk-dependencies.ts';
import { bulkItem } from './item-answer.ts';
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
  const head = { took: Math.round(answer.tookMs), errors: counts.refused + counts.failed > 0 };
  if (answer.actions.length <= SLICE_ITEMS) {
    response.json({ ...head, items: itemsFrom(answer, 0) });
    return;
  }
  await writePieces(request, response, head, answer, ports);
}

async function countOutcomes(results: readonly ItemResult[], ports: Ports): Promise<Counts> {
  const counts: Counts = { accepted: 0, refused: 0, failed: 0, retryAfterMs: undefined };
  await inSlices(results, ports.yieldToLoop, (result) => {
    const refusal = result.ok ? undefined : result.error.weir;
    if (refusal !== undefined) {
      counts.refused += 1;
      counts.retryAfterMs = Math.max(counts.retryAfterMs ?? 0, Number(refusal['retry_after_ms']));
    } else if (result.ok) counts.accepted += 1;
    else counts.failed += 1;
  });
  const { bulkOperations } = ports.metrics;
  bulkOperations.inc({ outcome: 'accepted' }, counts.accepted);
  bulkOperations.inc({ outcome: 'refused' }, counts.refused);
  bulkOperations.inc({ outcome: 'failed' }, counts.failed);
  return counts;
}

/** Up to a slice of items from `start` on. */
function itemsFrom(answer: BulkAnswer, start: number): Record<string, unknown>[] {
  return answer.actions.slice(start, start + SLICE_ITEMS).flatMap((action, offset) => {
    const result = answer.results[start + offset];
    if (result === undefined) return [];
    const { index, kind, fetchSource } = action;
    const id = answer.ids[start + offset] ?? null;
    const { forcedRefresh } = answer;
    return [{ [kind]: bulkItem({ index, id, result, fetchSource, forcedRefresh }) }];
  });
}

/** One JSON object written slice by slice; stops when the client has gone. */
async function writePieces(
  request: Request,
  response: Response,
  head: Record<string, unknown>,
  answer: BulkAnswer,
  { yieldToLoop }: Ports,
): Promise<void> {
  const layout = layoutOf(request);
  if (!response.hasHeader('Content-Type')) response.setHeader('Content-Type', contentType(request));
  const members = layout.members(head);
  response.write(`{${members}`);
  let before = `${members === '' ? '' : ','}"items":[`;
  let opened = false;
  for (let start = 0; start < answer.actions.length && !response.destroyed; start += SLICE_ITEMS) {
    const items = layout.items(itemsFrom(answer, start));
    if (items !== '') {
      await write(response, before + items);
      before = ',';
      opened = true;
    }
    await yieldToLoop();
  }
  response.end(opened ? ']}' : '}');
}

/** How pieces of the answer look under this request's `pretty` and `filter_path`. */
function layoutOf({ query }: Request) {
  const { filter_path: paths, pretty } = query;
  const kept = (body: unknown): unknown =>
    typeof paths === 'string' && paths !== '' ? filterPaths(body, paths) : body;
  const indent = pretty === undefined || pretty === 'false' ? 0 : 2;
  /** The inside of an object or list as JSON text. */
  const inside = (value: unknown): string => JSON.stringify(value, null, indent).slice(1, -1);
  return {
    members: (head: object): string => inside(kept(head)),
    items(items: readonly unknown[]): string {
      const { items: left = [] } = kept({ items }) as { items?: readonly unknown[] };
      return inside(left);
    },
  };
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
