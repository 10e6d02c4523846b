import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { operation } from '../../testing/copy-fixtures.ts';
import { SearchedCopy } from '../../testing/search-fixtures.ts';
import { DocumentView } from './document-view.ts';
import { evaluate } from './evaluate.ts';
import { parseQuery } from './parse-query.ts';

const words = fc.constantFrom('river', 'Weir', 'été', '東京', "o'neil", '3.14', 'a-b', '5', '5.0', '', '...');
const texts = fc.array(words, { maxLength: 4 }).map((parts) => parts.join(' '));
const scalars = fc.oneof(
  texts,
  fc.integer({ min: -5, max: 5 }),
  fc.boolean(),
  fc.constant(3.14),
  fc.constant(null),
);
const fields = fc.constantFrom('a', 'b', 'c.d');
const documents = fc.record(
  {
    a: fc.oneof(scalars, fc.array(scalars, { maxLength: 3 })),
    b: scalars,
    c: fc.oneof(fc.record({ d: scalars }), fc.array(fc.record({ d: scalars }), { maxLength: 2 })),
  },
  { requiredKeys: [] },
);
const ids = fc.constantFrom('1', '2', '3', '4', '5', '6');
const writes = fc.array(fc.tuple(ids, fc.option(documents, { freq: 4 })), { minLength: 1, maxLength: 20 });

const named = fc.tuple(fields, fc.boolean()).map(([name, keyword]) => (keyword ? `${name}.keyword` : name));
const values = scalars.filter((value) => value !== null);
const queryStrings = fc.constantFrom(
  ...[
    'river',
    'river weir',
    'river AND NOT a:5',
    '"weir river"',
    'b:"river weir"',
    'ri* -b:été',
    'a.keyword:Riv*',
  ],
  ...['a:(river OR 5)', 'c.d:*', "o'n*", '東 京', '3.1* OR wei*'],
);
const leaves: fc.Arbitrary<object> = fc.oneof(
  fc
    .tuple(named, texts, fc.constantFrom('and', 'or'))
    .map(([field, query, operator]) => ({ match: { [field]: { query, operator } } })),
  fc.tuple(named, values).map(([field, value]) => ({ match: { [field]: value } })),
  fc.tuple(named, values).map(([field, value]) => ({ term: { [field]: value } })),
  fc.tuple(named, fc.array(values, { maxLength: 3 })).map(([field, list]) => ({ terms: { [field]: list } })),
  fc
    .tuple(fields, fc.integer({ min: -5, max: 5 }), fc.integer({ min: -5, max: 5 }))
    .map(([field, gte, lt]) => ({ range: { [field]: { gte, lt } } })),
  fc.array(ids, { maxLength: 3 }).map((list) => ({ ids: { values: list } })),
  queryStrings.map((query) => ({ query_string: { query } })),
  fc.constant({ match_all: {} }),
);
const { query } = fc.letrec<{ query: object; bool: object }>((tie) => ({
  query: fc.oneof({ maxDepth: 2 }, leaves, tie('bool')),
  bool: fc
    .record(
      {
        must: fc.array(tie('query'), { maxLength: 2 }),
        should: fc.array(tie('query'), { maxLength: 3 }),
        filter: fc.array(tie('query'), { maxLength: 2 }),
        must_not: fc.array(tie('query'), { maxLength: 1 }),
        minimum_should_match: fc.integer({ min: 0, max: 2 }),
      },
      { requiredKeys: [] },
    )
    .map((body) => ({ bool: body })),
}));

type Writes = readonly (readonly [string, object | null])[];

/** Writes and refreshes; the documents that are there then, as the writer took them. */
function store(searched: SearchedCopy, rounds: readonly Writes[]): ReadonlyMap<string, string> {
  const stored = new Map<string, string>();
  for (const round of rounds) {
    for (const [id, document] of round) {
      searched.copy.write([operation(document === null ? 'delete' : 'index', id, document)]);
      if (document === null) stored.delete(id);
      else stored.set(id, JSON.stringify(document));
    }
    searched.refresh();
  }
  return stored;
}

function matching(stored: ReadonlyMap<string, string>, one: object): readonly string[] {
  const parsed = parseQuery(one);
  return [...stored]
    .filter(([id, source]) => evaluate(parsed, new DocumentView(id, Buffer.from(source))) !== undefined)
    .map(([id]) => id)
    .sort();
}

const queries = fc.array(query, { minLength: 1, maxLength: 10 });

describe('a search', () => {
  it('finds exactly the documents that match when each is looked at, after any writes and refreshes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(writes, { maxLength: 3 }), queries, async (rounds, asked) => {
        const searched = new SearchedCopy();
        try {
          const stored = store(searched, rounds);
          for (const one of asked) {
            const { hits, total } = await searched.find(one);
            expect(hits.map(({ row }) => row.id).sort()).toEqual(matching(stored, one));
            expect(total).toBe(hits.length);
          }
        } finally {
          searched.remove();
        }
      }),
      { numRuns: 60 },
    );
  }, 120_000);
});
