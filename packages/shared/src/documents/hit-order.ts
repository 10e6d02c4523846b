// Which of two hits comes first? Data nodes choose their best by it, coordinators merge shards by it.

export type SortKey = {
  readonly field: string;
  readonly order: 'asc' | 'desc';
  /** Where hits without the field go, whatever the order. */
  readonly missing: '_last' | '_first';
};

/** Null where a hit has no value. */
export type SortValue = string | number | null;

/** Compares the sort values of two hits key by key; negative when `a` comes first. */
export function compareSortValues(
  keys: readonly SortKey[],
  a: readonly SortValue[],
  b: readonly SortValue[],
): number {
  for (const [at, key] of keys.entries()) {
    const order = compareByKey(key, a[at] ?? null, b[at] ?? null);
    if (order !== 0) return order;
  }
  return 0;
}

function compareByKey({ order, missing }: SortKey, a: SortValue, b: SortValue): number {
  if (a === b) return 0;
  if (a === null || b === null) return (a === null) === (missing === '_first') ? -1 : 1;
  return order === 'asc' ? compareValues(a, b) : -compareValues(a, b);
}

/** Numbers before texts. */
export function compareValues(a: string | number, b: string | number): number {
  if (typeof a === 'number') return typeof b === 'number' ? a - b : -1;
  return typeof b === 'number' ? 1 : compareText(a, b);
}

/** By code points, which is the order of the UTF-8 bytes. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  let at = 0;
  while (a.charCodeAt(at) === b.charCodeAt(at)) at++;
  const start = at > 0 && isLowSurrogate(a, at) && isLowSurrogate(b, at) ? at - 1 : at;
  return (a.codePointAt(start) ?? -1) - (b.codePointAt(start) ?? -1);
}

function isLowSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff;
}
