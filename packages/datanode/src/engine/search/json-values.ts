// What stands in a document at a field's path, and which texts does it hold at all? Arrays count as each of their items.

/** A value a field can be compared by. */
export type Scalar = string | number | boolean;

/** Deeper values are stored and read, not searched. */
const MAX_DEPTH = 100;

/** All scalars of a document as texts, in the document's order. */
export function leafTexts(document: unknown): readonly string[] {
  const texts: string[] = [];
  collect(document, 0, texts);
  return texts;
}

function collect(value: unknown, depth: number, texts: string[]): void {
  if (typeof value === 'string') texts.push(value);
  else if (typeof value === 'number' || typeof value === 'boolean') texts.push(String(value));
  else if (typeof value === 'object' && value !== null && depth < MAX_DEPTH)
    for (const inner of Object.values(value)) collect(inner, depth + 1, texts);
}

/** The scalars at a dotted path; a key may itself hold dots. */
export function scalarsAt(document: unknown, path: string): readonly Scalar[] {
  const found: Scalar[] = [];
  walk(document, path, 0, found);
  return found;
}

function walk(value: unknown, path: string | undefined, depth: number, found: Scalar[]): void {
  if (depth > MAX_DEPTH || value === null) return;
  if (Array.isArray(value)) for (const item of value) walk(item, path, depth + 1, found);
  else if (typeof value === 'object') {
    if (path !== undefined) walkObject(value as Record<string, unknown>, path, depth, found);
  } else if (path === undefined && isScalar(value)) found.push(value);
}

function walkObject(value: Record<string, unknown>, path: string, depth: number, found: Scalar[]): void {
  if (Object.hasOwn(value, path)) walk(value[path], undefined, depth + 1, found);
  for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
    const key = path.slice(0, dot);
    if (Object.hasOwn(value, key)) walk(value[key], path.slice(dot + 1), depth + 1, found);
  }
}

function isScalar(value: unknown): value is Scalar {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
