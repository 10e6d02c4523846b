// Does a whole request go on unsplit? Where an engine behind might refuse all of it, no part of it may be done before.
import type { UnsplitReason, YieldToLoop } from '@weir/shared';
import type { QueryParameters } from '../http/query-parameters.ts';
import { isRecord } from '../http/read-json-body.ts';
import type { BulkAction } from './bulk-action.ts';
import { duplicateKey } from './duplicate-key.ts';
import { inSlices } from './slices.ts';

/** What an update's body may hold; OpenSearch refuses the whole bulk for anything else in one. */
const UPDATE_KEYS = new Set([
  'doc',
  'doc_as_upsert',
  'upsert',
  'detect_noop',
  'script',
  'scripted_upsert',
  '_source',
]);

/** The reason, or undefined where its parts can go their own ways. */
export async function whyTogether(
  query: Pick<QueryParameters, 'unknown'>,
  actions: readonly BulkAction[],
  yieldToLoop: YieldToLoop,
): Promise<UnsplitReason | undefined> {
  if (query.unknown().length > 0) return 'unknown_parameter';
  let isDoubtful = false;
  await inSlices(actions, yieldToLoop, (action) => {
    isDoubtful ||= action.kind === 'update' && !isPlainUpdate(action);
  });
  return isDoubtful ? 'doubtful_update' : undefined;
}

function isPlainUpdate({ source, conditions }: BulkAction): boolean {
  const body = parsed(source);
  if (body === undefined || Object.keys(body).some((key) => !UPDATE_KEYS.has(key))) return false;
  const { doc, script, upsert } = body;
  if ((doc === undefined) === (script === undefined)) return false;
  if (![doc ?? {}, upsert ?? {}].every(isRecord)) return false;
  const makes = upsert !== undefined || body['doc_as_upsert'] !== undefined;
  if (script !== undefined && body['doc_as_upsert'] !== undefined) return false;
  return conditions.ifSeqNo === undefined || !(makes || conditions.retryOnConflict > 0);
}

/** The object in a body that is valid beyond doubt. */
function parsed(source: Buffer): Readonly<Record<string, unknown>> | undefined {
  const text = source.toString();
  try {
    const body: unknown = JSON.parse(text);
    return isRecord(body) && duplicateKey(text) === undefined ? body : undefined;
  } catch {
    return undefined;
  }
}
