// Which names an index may have: OpenSearch's rules, and the names that would hurt an OpenSearch behind us.
import { WeirError } from '../ops/errors.ts';

const MAX_BYTES = 255;
/** As OpenSearch lists them in its error. */
const FORBIDDEN = [' ', '"', '*', '\\', '<', '|', ',', '>', '/', '?'];

/** Throws invalid_index_name with the rule that `name` breaks. */
export function checkIndexName(name: string): void {
  const broken = brokenRule(name);
  if (broken === undefined) return;
  // Only the beginning: a name of a megabyte must not come back as an error of a megabyte.
  const shown = name.length > 300 ? `${name.slice(0, 300)}…` : name;
  throw new WeirError('invalid_index_name', `Invalid index name [${shown.toWellFormed()}], ${broken}`, {
    fields: { index: shown.toWellFormed(), index_uuid: '_na_' },
  });
}

/** The rule that `name` breaks, in OpenSearch's words, or undefined for a good name. */
export function brokenRule(name: string): string | undefined {
  if (name === '') return 'must not be empty';
  // Before all else, and cheap: a code unit is at least one byte.
  if (name.length > MAX_BYTES) return `index name is too long, (${Buffer.byteLength(name)} > ${MAX_BYTES})`;
  return brokenCharacterRule(name) ?? brokenShapeRule(name);
}

function brokenCharacterRule(name: string): string | undefined {
  if (FORBIDDEN.some((character) => name.includes(character)))
    return `must not contain the following characters [${FORBIDDEN.join(', ')}]`;
  if (name.includes('#')) return "must not contain '#'";
  if (name.includes(':')) return "must not contain ':'";
  // Half a surrogate makes an OpenSearch cluster manager step down; a NUL hangs its writes.
  if (!name.isWellFormed()) return 'must be valid Unicode, found half of a surrogate pair';
  if (/\p{Cc}/u.test(name)) return 'must not contain control characters';
  return undefined;
}

function brokenShapeRule(name: string): string | undefined {
  if (/^[_+-]/.test(name)) return "must not start with '_', '-', or '+'";
  const bytes = Buffer.byteLength(name);
  if (bytes > MAX_BYTES) return `index name is too long, (${bytes} > ${MAX_BYTES})`;
  if (name === '.' || name === '..') return "must not be '.' or '..'";
  if (name !== name.toLowerCase()) return 'must be lowercase';
  return undefined;
}
