// One found document as the answer of a read by id.
import type { GetAnswer, SourceFilter } from '@weir/shared';
import { applySourceFilter } from './source-filter.ts';

export type FoundDocument = NonNullable<GetAnswer['documents'][number]>;

/** OpenSearch's body of a found document. */
export function documentBody(
  index: string,
  document: FoundDocument,
  source: SourceFilter,
): Record<string, unknown> {
  const shown = applySourceFilter(document.source, source);
  return {
    _index: index,
    _id: document.id,
    _version: document.version,
    _seq_no: document.seq_no,
    _primary_term: document.primary_term,
    ...(document.routing === undefined ? {} : { _routing: document.routing }),
    found: true,
    ...(shown === undefined ? {} : { _source: shown }),
  };
}
