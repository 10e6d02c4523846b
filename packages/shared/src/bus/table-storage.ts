// Where a process keeps its copy of a table, so that it survives the bus: a file, written whole or not at all.
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { WarningLog } from '../ops/bounded-warnings.ts';
import type { Entry } from './bus.ts';

/** A table as it is kept, with the generation of the bus it was last seen on. */
export type StoredTable = { readonly generation: string; readonly entries: ReadonlyMap<string, Entry> };

/** Keeps one table. */
export interface TableStorage {
  /** What was saved last; undefined when there is nothing yet. */
  load(): Promise<StoredTable | undefined>;
  /** Resolves when the table is on disk (fsync). */
  save(table: StoredTable): Promise<void>;
}

const fileSchema = z.object({
  format: z.literal(1),
  generation: z.string(),
  entries: z.array(
    z.object({ key: z.string(), version: z.number().int().min(1), value: z.string().nullable() }),
  ),
});

/**
 * A table in the file `path`, replaced atomically. A file that cannot be read as one is set aside under another name and warned of: the bus
 * and the other nodes have the same entries.
 */
export function tableFile(path: string, log: WarningLog): TableStorage {
  return {
    async load() {
      let text: string;
      try {
        text = await readFile(path, 'utf8');
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw error;
      }
      const table = parseTableFile(text);
      if (table !== undefined) return table;
      await rename(path, `${path}.broken`);
      log.warn({ file: path, kept_as: `${path}.broken` }, 'a table file cannot be read and was set aside');
      return undefined;
    },
    save: (table) => writeWhole(path, formatTableFile(table)),
  };
}

function parseTableFile(text: string): StoredTable | undefined {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return undefined;
  }
  const file = fileSchema.safeParse(json).data;
  return (
    file && {
      generation: file.generation,
      entries: new Map(file.entries.map(({ key, version, value }) => [key, { version, value }])),
    }
  );
}

function formatTableFile({ generation, entries }: StoredTable): string {
  const list = [...entries].map(([key, { version, value }]) => ({ key, version, value }));
  return `${JSON.stringify({ format: 1, generation, entries: list })}\n`;
}

async function writeWhole(path: string, text: string): Promise<void> {
  const directory = dirname(path);
  await mkdir(directory, { recursive: true });
  // One process owns the directory and saves one at a time: a left-over of a crash is simply overwritten.
  const temporary = `${path}.new`;
  try {
    const file = await open(temporary, 'w', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  // Without this the rename itself may be lost with the power.
  const folder = await open(directory, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
