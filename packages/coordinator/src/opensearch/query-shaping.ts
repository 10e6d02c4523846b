// A query without what shapes its answer: the answer is read here first.

/** Parameters that shape the answer: OpenSearch must not, Weir does it at the end. */
const SHAPING = new Set(['filter_path', 'pretty', 'format']);

/** The target with all else in its query exactly as it came. */
export function withoutShaping(target: string): string {
  const start = target.indexOf('?');
  if (start < 0) return target;
  const kept = target
    .slice(start + 1)
    .split('&')
    .filter((pair) => !SHAPING.has(decoded(pair.split('=', 1)[0] ?? '')));
  return kept.length === 0 ? target.slice(0, start) : `${target.slice(0, start)}?${kept.join('&')}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
