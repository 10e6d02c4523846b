// What one process tells the others after it changed a table: enough to follow without reading, where it is small.
import { z } from 'zod';
import type { Entry } from './bus.ts';

const messageSchema = z.object({
  generation: z.string(),
  revision: z.number().int(),
  /** Absent where the entries are too large for a message: the hearer reads the table. */
  entries: z
    .array(z.object({ key: z.string(), version: z.number().int(), value: z.string().nullable() }))
    .optional(),
});

export type TableMessage = {
  readonly generation: string;
  readonly revision: number;
  readonly entries: ReadonlyMap<string, Entry> | undefined;
};

/** Every process of the cluster gets every message: past this length reading on demand is cheaper. */
const MAX_MESSAGE_LENGTH = 64 * 1024;

export function formatTableMessage({ generation, revision, entries }: TableMessage): string {
  const list = [...(entries ?? [])].map(([key, { version, value }]) => ({ key, version, value }));
  const text = JSON.stringify({ generation, revision, entries: list });
  return text.length <= MAX_MESSAGE_LENGTH ? text : JSON.stringify({ generation, revision });
}

/** The message in `text`, or undefined where it is none. */
export function parseTableMessage(text: string): TableMessage | undefined {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return undefined;
  }
  const message = messageSchema.safeParse(json).data;
  if (message === undefined) return undefined;
  const { generation, revision, entries } = message;
  return {
    generation,
    revision,
    entries: entries && new Map(entries.map(({ key, version, value }) => [key, { version, value }])),
  };
}
