// Many documents by id in one request, asked for with one call per shard and answered in the order of the request.
import { errorBody, type IndexMetadata, type SourceFilter, toWeirError, WeirError } from '@weir/shared';
import { z } from 'zod';
import { indexNotFound } from '../cluster/resolve-indices.ts';
import { documentBody } from './document-body.ts';
import type { ReadDependencies } from './read-dependencies.ts';
import { sourceFilterOf } from './source-filter.ts';

type Defaults = {
  readonly index: string | undefined;
  readonly routing: string | undefined;
  readonly source: SourceFilter;
};

/** One document asked for; `position` is its place in the answer. */
type Wanted = {
  readonly position: number;
  readonly index: string;
  readonly id: string;
  readonly routing: string | undefined;
  readonly source: SourceFilter;
};

const id = z.union([z.string(), z.number()]).transform(String);
const bodySchema = z.strictObject({
  docs: z
    .array(
      z.strictObject({
        _index: z.string().optional(),
        _type: z.string().optional(),
        _id: id,
        routing: z.union([z.string(), z.number()]).transform(String).optional(),
        _source: z.unknown().optional(),
      }),
    )
    .optional(),
  ids: z.array(id).optional(),
});

/** OpenSearch's `docs`: for each a document, `found: false`, or an error of its own. */
export async function multiGet(
  body: unknown,
  defaults: Defaults,
  deps: ReadDependencies,
): Promise<readonly unknown[]> {
  const wanted = parse(body, defaults);
  const answers = new Array<unknown>(wanted.length);
  const groups = new Map<string, { index: IndexMetadata; shard: number; wanted: Wanted[] }>();
  for (const one of wanted) {
    const index = deps.topology.index(one.index);
    if (index === undefined) {
      answers[one.position] = failure(one, indexNotFound(one.index));
      continue;
    }
    const shard = deps.shardOf(index, one.id, one.routing);
    const key = `${shard} ${index.name}`;
    const group = groups.get(key) ?? { index, shard, wanted: [] };
    group.wanted.push(one);
    groups.set(key, group);
  }
  await Promise.all(
    [...groups.values()].map(async (group) => {
      try {
        const found = await deps.reads.documents(
          group,
          group.wanted.map((one) => one.id),
        );
        for (const [at, one] of group.wanted.entries()) {
          const document = found[at];
          answers[one.position] = document
            ? documentBody(one.index, document, one.source)
            : { _index: one.index, _id: one.id, found: false };
        }
      } catch (thrown) {
        for (const one of group.wanted) answers[one.position] = failure(one, toWeirError(thrown));
      }
    }),
  );
  return answers;
}

function failure(one: Wanted, error: WeirError): unknown {
  return { _index: one.index, _id: one.id, error: errorBody(error).error };
}

function parse(body: unknown, defaults: Defaults): readonly Wanted[] {
  const parsed = bodySchema.safeParse(body ?? {});
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const keys = issue?.code === 'unrecognized_keys' ? ` [${issue.keys.join(', ')}]` : '';
    const path = issue?.path.join('.') ?? '';
    throw new WeirError('parsing', `Failed to parse [_mget] at [${path}]: ${issue?.message}${keys}`);
  }
  const docs = parsed.data.docs ?? (parsed.data.ids ?? []).map((_id) => ({ _id }));
  if (docs.length === 0) throw new WeirError('validation', 'Validation Failed: 1: no documents to get;');
  return docs.map(
    (
      doc: { _id: string; _index?: string | undefined; routing?: string | undefined; _source?: unknown },
      position,
    ) => {
      const index = doc._index ?? defaults.index;
      if (index === undefined)
        throw new WeirError('validation', `Validation Failed: 1: index is missing for doc ${position};`);
      return {
        position,
        index,
        id: doc._id,
        routing: doc.routing ?? defaults.routing,
        source: doc._source === undefined ? defaults.source : sourceFilterOf(doc._source),
      };
    },
  );
}
