// The first rows of a result, up to an amount of source bytes, at least one where there is one.

export function takeUpTo<Row extends { readonly source: Buffer }>(
  rows: Iterable<Row>,
  maxBytes: number,
): Row[] {
  const taken: Row[] = [];
  let bytes = 0;
  for (const row of rows) {
    taken.push(row);
    bytes += row.source.length;
    if (bytes >= maxBytes) break;
  }
  return taken;
}
