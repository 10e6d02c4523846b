// How a table's Redis hash reads as a snapshot: what is not ours or is broken is left out and named.
import type { Entry, TableSnapshot } from './bus.ts';

/** `<version>=<value>`, or `<version>x<revision>` for a deletion. */
const ENTRY = /^(\d{1,15})(?:=([\s\S]*)|x\d{1,15})$/;
const ENTRY_PREFIX = 'e:';

/** An entry's stored text, or undefined where it is none of ours. */
function decodeEntry(raw: string): Entry | undefined {
  const match = ENTRY.exec(raw);
  return match === null ? undefined : { version: Number(match[1]), value: match[2] ?? null };
}

/** A value as the scripts take it: its kind, and its text where it has one. */
export function encodeValue(value: string | null): [kind: string, text: string] {
  return value === null ? ['x', ''] : ['=', value];
}

/** Entries as a script lists them: key, stored text, key, stored text. */
export function decodeEntries(list: readonly (string | number)[]): ReadonlyMap<string, Entry> {
  const entries = new Map<string, Entry>();
  for (let index = 0; index < list.length; index += 2) {
    const entry = decodeEntry(String(list[index + 1]));
    if (entry !== undefined) entries.set(String(list[index]), entry);
  }
  return entries;
}

/** A revision's stored text; anything else counts as 0, which only costs the reader one more read. */
export function decodeRevision(raw: string | null | undefined): number {
  return raw !== null && raw !== undefined && /^\d{1,15}$/.test(raw) ? Number(raw) : 0;
}

/** The table in a hash; `ignored` hears of every field that is left out. */
export function decodeTable(
  fields: Readonly<Record<string, string>>,
  ignored: (field: string) => void,
): TableSnapshot {
  const entries = new Map<string, Entry>();
  for (const [field, raw] of Object.entries(fields)) {
    if (field === 'generation' || field === 'revision') continue;
    const entry = field.startsWith(ENTRY_PREFIX) ? decodeEntry(raw) : undefined;
    if (entry === undefined) ignored(field);
    else entries.set(field.slice(ENTRY_PREFIX.length), entry);
  }
  return { generation: fields['generation'] ?? '', revision: decodeRevision(fields['revision']), entries };
}
