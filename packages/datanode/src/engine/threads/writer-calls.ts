// What the writer thread is asked, and what it answers.
import type { CopyRef } from '../engine.ts';
import type { PackedOperations } from './pack-operations.ts';
import type { PackedReplicaOperations } from './pack-replica-operations.ts';
import type { PackedResults } from './pack-results.ts';

/** After a write: how many writes the copy has applied, and how long the newest commit took. */
export type Written = { readonly changes: number; readonly commitMs: number | undefined };

export type WriterCalls = {
  readonly open: {
    readonly send: {
      readonly key: string;
      readonly copy: CopyRef;
      readonly file: string;
      /** The copy was made before: a missing file is a loss, not a beginning. */
      readonly mustExist: boolean;
      readonly primaryTerm: number;
    };
    readonly receive: { readonly changes: number };
  };
  readonly close: { readonly send: { readonly key: string }; readonly receive: null };
  readonly primary: {
    readonly send: {
      readonly key: string;
      readonly primaryTerm: number;
      readonly operations: PackedOperations;
    };
    readonly receive: Written & { readonly results: PackedResults };
  };
  readonly replica: {
    readonly send: {
      readonly key: string;
      readonly primaryTerm: number;
      readonly operations: PackedReplicaOperations;
    };
    readonly receive: Written;
  };
};
