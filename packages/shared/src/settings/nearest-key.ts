// Which known key did a person mean who wrote an unknown one?

/** Keys that differ in more than this share of their length are not taken for the same. */
const MAX_DIFFERENCE = 0.4;
/** No key is nearly this long: longer ones are not worth comparing. */
const MAX_LENGTH = 200;

/** The known key with the fewest edits to `key`, or undefined where none is near. */
export function nearestKey(key: string, known: Iterable<string>): string | undefined {
  if (key.length > MAX_LENGTH) return undefined;
  let best: string | undefined;
  let bestEdits = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const edits = editDistance(key, candidate);
    if (edits >= bestEdits || edits > MAX_DIFFERENCE * Math.max(key.length, candidate.length)) continue;
    best = candidate;
    bestEdits = edits;
  }
  return best;
}

/** Levenshtein's distance: insertions, deletions and replacements. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
