// What becomes of a document when an update's partial document is laid over it, and did anything change?
import type { ExactObject, ExactValue } from '@weir/shared/documents';

/** Lays `changes` over `target`: objects are merged key by key, anything else replaced. True when a value became another one. */
export function mergeInto(target: ExactObject, changes: ExactObject): boolean {
  let changed = false;
  for (const [key, value] of Object.entries(changes)) {
    const old = Object.hasOwn(target, key) ? target[key] : undefined;
    if (isObject(old) && isObject(value)) changed = mergeInto(old, value) || changed;
    else if (old === undefined || !isSame(old, value)) {
      setOwn(target, key, value);
      changed = true;
    }
  }
  return changed;
}

export function isObject(value: ExactValue | undefined): value is ExactObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Equal as OpenSearch compares: the order of keys does not count, 1 and 1.0 differ. */
function isSame(a: ExactValue, b: ExactValue): boolean {
  if (isObject(a) && isObject(b)) {
    const keys = Object.keys(a);
    if (keys.length !== Object.keys(b).length) return false;
    return keys.every((key) => Object.hasOwn(b, key) && isSame(a[key] ?? null, b[key] ?? null));
  }
  if (isList(a) && isList(b))
    return a.length === b.length && a.every((item, at) => isSame(item, b[at] ?? null));
  return a === b;
}

function isList(value: ExactValue): value is readonly ExactValue[] {
  return Array.isArray(value);
}

/** Plain assignment to `__proto__` would change the object's prototype instead of its key. */
function setOwn(target: ExactObject, key: string, value: ExactValue): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}
