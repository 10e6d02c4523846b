// Is this text a node's stats? Whatever else stands there is ignored and warned of, never believed.
import { type NodeStats, nodeStatsSchema } from '../wire/node-stats.ts';

/** Far above what a node publishes (about 1 KB); longer texts are not even parsed. */
const MAX_STATS_CHARS = 65_536;

/** The stats, or one line that says what is wrong with the text. */
export type ReadStats =
  | { readonly ok: true; readonly stats: NodeStats }
  | { readonly ok: false; readonly problem: string };

export function readStats(text: string): ReadStats {
  if (text.length > MAX_STATS_CHARS) {
    return { ok: false, problem: `${text.length} characters are more than ${MAX_STATS_CHARS}` };
  }
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return { ok: false, problem: 'not JSON' };
  }
  const result = nodeStatsSchema.safeParse(parsed);
  if (result.success) return { ok: true, stats: result.data };
  const issue = result.error.issues[0];
  return { ok: false, problem: `${issue?.path.join('.') || 'value'}: ${issue?.message ?? 'invalid'}` };
}
