// What the reader thread is asked, and what it answers.
import type { CopySearch, Found } from '../search/run-search.ts';
import type { CountersRow, DocumentRow } from '../search/searchable-copy.ts';

export type ReaderCalls = {
  readonly open: {
    readonly send: { readonly key: string; readonly documents: string; readonly search: string };
    readonly receive: null;
  };
  readonly close: { readonly send: { readonly key: string }; readonly receive: null };
  readonly get: {
    readonly send: { readonly key: string; readonly ids: readonly string[] };
    readonly receive: readonly (DocumentRow | undefined)[];
  };
  readonly search: {
    readonly send: CopySearch & { readonly key: string };
    readonly receive: Found;
  };
  readonly counters: { readonly send: { readonly key: string }; readonly receive: CountersRow };
};
