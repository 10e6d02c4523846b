// The documents of one of the loader's data sets, as the loader sends them.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './repository.ts';
import { runNode } from './run-to-end.ts';

export type DataSetDocument = { readonly id: string; readonly source: string };

/** Read by a process of its own, since the loader is no package that tests could import. */
export async function dataSet(name: string): Promise<readonly DataSetDocument[]> {
  const module = pathToFileURL(join(ROOT, 'tools/dist/load/documents.js')).href;
  const script = `
    import { openDocuments } from ${JSON.stringify(module)};
    let text = '';
    for await (const { id, source } of (await openDocuments(process.argv[1])).read()) text += id + '\\t' + source + '\\n';
    process.stdout.write(text);`;
  const { ended, stdout, stderr } = await runNode(['--input-type=module', '-e', script, name]);
  if (ended !== 0) throw new Error(stderr);
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const tab = line.indexOf('\t');
      return { id: line.slice(0, tab), source: line.slice(tab + 1) };
    });
}
