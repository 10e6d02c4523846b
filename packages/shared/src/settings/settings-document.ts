// The settings of a cluster as they are stored: three entries of one table, written together.
import { z } from 'zod';
import type { Entry } from '../bus/bus.ts';
import type { ChangedSettings } from './settings-change.ts';
import type { FlatSettings } from './settings-layers.ts';

/** Entries of the table. The transient one is never written to a disk. */
export const SETTINGS_ENTRIES = {
  changes: 'changes',
  persistent: 'persistent',
  transient: 'transient',
} as const;
export type SettingsEntry = (typeof SETTINGS_ENTRIES)[keyof typeof SETTINGS_ENTRIES];

const changeSchema = z.object({
  version: z.number().int(),
  /** Within what a date can hold. */
  at_wall_ms: z.number().min(0).max(8.64e15),
  author: z.string(),
  changes: z.array(
    z.object({
      scope: z.enum(['persistent', 'transient']),
      key: z.string(),
      from: z.string().nullable(),
      to: z.string().nullable(),
    }),
  ),
});

/** One write of settings, as the history tells it. */
export type RecordedChange = Readonly<z.infer<typeof changeSchema>>;

export type SettingsDocument = {
  /** Rises by one with every write; 0 before the first. */
  readonly version: number;
  readonly persistent: FlatSettings;
  readonly transient: FlatSettings;
  /** Newest last. */
  readonly history: readonly RecordedChange[];
};

export const EMPTY_DOCUMENT: SettingsDocument = {
  version: 0,
  persistent: new Map(),
  transient: new Map(),
  history: [],
};

/** The document after a change, which `author` made at that moment. */
export function nextDocument(
  before: SettingsDocument,
  changed: Pick<ChangedSettings, 'persistent' | 'transient' | 'changes'>,
  author: string,
  atWallMs: number,
): SettingsDocument {
  const { persistent, transient, changes } = changed;
  const version = before.version + 1;
  const record = { version, at_wall_ms: atWallMs, author, changes: [...changes] };
  return { version, persistent, transient, history: [...before.history, record] };
}

/** The history travels with every write: it is kept short. */
const MAX_HISTORY = 100;
const MAX_HISTORY_LENGTH = 128 * 1024;

const historySchema = z.array(changeSchema);
const flatSchema = z.record(z.string(), z.string());

/** What an entry of the table adds to the document; undefined where it cannot be read. */
export function readEntry(name: string, { value }: Entry): Partial<SettingsDocument> | undefined {
  const json = parseJson(value ?? 'null');
  if (name === SETTINGS_ENTRIES.changes) {
    const history = historySchema.safeParse(json).data;
    return history && { version: history.at(-1)?.version ?? 0, history };
  }
  if (name !== SETTINGS_ENTRIES.persistent && name !== SETTINGS_ENTRIES.transient) return undefined;
  const flat = flatSchema.safeParse(json).data;
  return flat && { [name]: new Map(Object.entries(flat)) };
}

/** The text of an entry. */
export function writeEntry(name: SettingsEntry, document: SettingsDocument): string {
  if (name !== SETTINGS_ENTRIES.changes) return JSON.stringify(Object.fromEntries(document[name]));
  let history = document.history.slice(-MAX_HISTORY);
  let text = JSON.stringify(history);
  while (text.length > MAX_HISTORY_LENGTH && history.length > 1) {
    history = history.slice(Math.ceil(history.length / 2));
    text = JSON.stringify(history);
  }
  return text;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
