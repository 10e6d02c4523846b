// One value as a source gave it, and what reading a source came to.

/** A value with the words that name its source. */
export type Given = { readonly value: unknown; readonly from: string };

/** Values by field, and the mistakes found while reading. */
export type SourceReading = {
  readonly given: ReadonlyMap<string, Given>;
  readonly problems: readonly string[];
};
