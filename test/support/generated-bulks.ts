// Bulks of every kind of operation, from a seed, so that the same ones can be sent two ways and compared.
import type { Rng } from '@weir/shared';

export type BulkNames = {
  readonly index: string;
  readonly alias: string;
  /** An alias with a routing of its own. */
  readonly routed: string;
  /** Not there before the first bulk, and made by it; with one shard, so that ids may be left out: wherever they come from, the order is the same. */
  readonly made: string;
  /** With a default pipeline that does not exist: only what names none is taken. Where it is `index`, nothing names any. */
  readonly piped: string;
};

/** What such an index looks like: strict, so that documents can be wrong in more ways than one. */
export const BULK_INDEX = {
  settings: { number_of_shards: 3, number_of_replicas: 1, 'index.refresh_interval': '-1' },
  mappings: {
    dynamic: 'strict',
    properties: { v: { type: 'integer' }, s: { type: 'keyword' }, t: { type: 'text' } },
  },
};

const IDS = 12;

/** A body of `count` operations on a few ids, so that they meet each other. */
export function generatedBulk(rng: Rng, count: number, names: BulkNames): Buffer {
  const dice: Dice = {
    pick: (values) => values[Math.floor(rng.next() * values.length)] ?? values[0],
    chance: (share) => rng.next() < share,
    upTo: (limit) => Math.floor(rng.next() * limit),
  };
  const lines = Array.from({ length: count }, () => operation(dice, names));
  return Buffer.from(lines.join(''));
}

type Dice = {
  readonly pick: <T>(values: readonly [T, ...T[]]) => T;
  readonly chance: (share: number) => boolean;
  readonly upTo: (limit: number) => number;
};

function operation(dice: Dice, names: BulkNames): string {
  const { pick } = dice;
  const kind = pick(['index', 'index', 'create', 'update', 'delete']);
  const { index: plain, alias, routed, made, piped } = names;
  // An update may insert, and would need a pipeline for that, which its action cannot name.
  const index = pick([plain, plain, plain, alias, routed, made, kind === 'update' ? plain : piped]);
  const isWritten = kind === 'index' || kind === 'create';
  const hasId = !(isWritten && index === made && made !== plain) || dice.chance(0.3);
  const action = {
    _index: index,
    ...(hasId ? { _id: `id-${dice.upTo(IDS)}` } : {}),
    ...routing(dice, index === routed),
    ...(isWritten && piped !== plain ? pipeline(dice, index === piped) : {}),
    ...(hasId ? conditions(dice, kind) : {}),
    ...(kind === 'update' ? fetchSource(dice) : {}),
    ...(dice.chance(0.1) ? { require_alias: dice.chance(0.5) } : {}),
  };
  const line = `${JSON.stringify({ [kind]: action })}\n`;
  if (kind === 'delete') return line;
  return `${line}${kind === 'update' ? updateOf(dice) : documentOf(dice)}\n`;
}

/** Where the alias has one of its own, another is a mistake. */
function routing({ chance, pick }: Dice, isRouted: boolean): object {
  return chance(isRouted ? 0.1 : 0.3) ? { routing: pick(['a', 'b', 'ü😀']) } : {};
}

/**
 * None has to be named where the default one does not exist, and may be elsewhere. What fails for a pipeline is not compared here: OpenSearch 2.19.6
 * gives several such items in another order than they came in.
 */
function pipeline({ chance }: Dice, isPiped: boolean): object {
  return isPiped || chance(0.05) ? { pipeline: '_none' } : {};
}

function conditions({ chance, pick, upTo }: Dice, kind: string): object {
  if (kind === 'create') return {};
  if (kind === 'index' && chance(0.1)) return { op_type: pick(['create', 'index']) };
  if (kind === 'index' && chance(0.15))
    return { version: upTo(20), version_type: pick(['external', 'external_gte']) };
  return chance(0.1) ? { if_seq_no: upTo(5), if_primary_term: 1 } : {};
}

function documentOf({ pick, upTo }: Dice): string {
  return pick([
    `{"v": ${upTo(100)}, "s":"ü😀"}`,
    '{"v":1.0,"t":"two  spaces"}',
    '{"v":"7"}',
    '{}',
    '{"v":"no number"}',
    '{"unknown":1}',
    '{"v":1,"v":2}',
    '[1]',
    '{"v":',
  ]);
}

function fetchSource({ chance, pick }: Dice): object {
  return chance(0.3) ? { _source: pick([true, 'v', false]) } : {};
}

function updateOf({ pick, chance }: Dice): string {
  if (chance(0.2)) return '{"script":{"source":"no language"}}';
  const doc = pick(['{"v":1}', '{"v":2,"s":"x"}', '{"v":"bad"}', '{"unknown":true}']);
  return pick([`{"doc":${doc}}`, `{"doc":${doc},"doc_as_upsert":true}`, `{"doc":${doc},"upsert":{"v":9}}`]);
}
