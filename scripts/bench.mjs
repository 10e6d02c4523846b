// `npm run bench -- NAME [--json]`: builds and runs one benchmark; without a name it lists them.
import { readdirSync, readFileSync } from 'node:fs';
import { build } from './lib/build.mjs';
import { install } from './lib/install.mjs';
import { inRoot } from './lib/root.mjs';
import { runNode } from './lib/run.mjs';
import { Failure, main, say } from './lib/say.mjs';

await main(async () => {
  const [name, ...options] = process.argv.slice(2);
  const names = readdirSync(inRoot('bench/src'))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => file.slice(0, -'.ts'.length));
  if (name === undefined) {
    for (const known of names) say(`${known.padEnd(24)}${question(known)}`);
    return;
  }
  if (!names.includes(name)) throw new Failure(`there is no benchmark ${name}, only ${names.join(', ')}`);
  await install();
  await build('bench');
  process.exitCode = await runNode([inRoot('bench/dist', `${name}.js`), ...options]);
});

/** What a benchmark answers, as its first line says. */
function question(name) {
  const [first = ''] = readFileSync(inRoot('bench/src', `${name}.ts`), 'utf8').split('\n');
  return first.replace(/^\/\/\s*/, '');
}
