import { describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { analyze } from './analyze.ts';
import { indexText } from './index-text.ts';
import { SCHEMA } from './search-database.ts';

const database = new Database(':memory:');
database.exec(SCHEMA);
database.exec("CREATE VIRTUAL TABLE vocabulary USING fts5vocab('words', 'instance')");
const insert = database.prepare('INSERT INTO words (rowid, body) VALUES (1, ?)');
const inOrder = database.prepare<[], string>('SELECT term FROM vocabulary ORDER BY "offset"').pluck();

/** The words that the index holds of a text. */
function indexed(text: string): readonly string[] {
  database.exec("INSERT INTO words (words) VALUES ('delete-all')");
  insert.run(indexText(text));
  return inOrder.all();
}

describe('indexText', () => {
  it.each([
    "It's 3.14. Isn't it? ..a.b.. 'quoted' o''n x_y-z",
    'Ünï 東京 😀 l’été',
    `${'ab.'.repeat(100)} short ${'x'.repeat(300)}`,
    '...',
  ])('puts the words of analyze into the index: %s', (text) => {
    expect(indexed(text)).toEqual(analyze(text));
  });

  it('puts the words of analyze into the index, whatever the text', () => {
    const sign = fc.constantFrom(...'aZ09_\'. -\n"*', 'é', '’', '東', '\u0000', '\u007f');
    const text = fc.oneof(
      fc.string({ unit: sign }),
      fc.string({ unit: fc.constantFrom('a', '.', "'", ' '), minLength: 200, maxLength: 900 }),
      fc
        .tuple(fc.integer({ min: 200, max: 300 }), fc.string())
        .map(([length, end]) => `b${'a'.repeat(length)}${end}`),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(text, (one) => {
        expect(indexed(one)).toEqual(analyze(one));
      }),
    );
  });
});
