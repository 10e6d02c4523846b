// Brings the jars of a real OpenSearch from Maven and a compiled launcher into a cache outside the repository; done once.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { releaseOf } from './opensearch-releases.mjs';

const SOURCE = fileURLToPath(new URL('../../tools/opensearch/', import.meta.url));
const PARTS = ['pom.xml', 'WeirOpenSearchNode.java', 'log4j2.properties'];

const LEAST_JAVA = 17;

/** What OpenSearch needs and this machine lacks, each by its name; a JDK that is too old says so. */
export function missingForOpenSearch() {
  return ['java', 'javac', 'mvn'].flatMap((command) => {
    const { error, stdout, stderr } = spawnSync(command, ['-version'], { encoding: 'utf8' });
    if (error !== undefined) return [command];
    // As in `openjdk version "17.0.15"`, `javac 17.0.15`, and `"1.8.0_292"` of old.
    const [, version, major] = /(?:version "|javac )((?:1\.)?(\d+)[^\s"]*)/.exec(stderr + stdout) ?? [];
    const isOld = command !== 'mvn' && Number(major) < LEAST_JAVA;
    return isOld ? [`${command} ${LEAST_JAVA} (it is ${version})`] : [];
  });
}

/** Returns the class path of a ready cache of a release, filling it first where it is not; `say` hears of progress. */
export async function openSearchClassPath(name, say) {
  const release = releaseOf(name);
  const digest = createHash('sha256').update(JSON.stringify(release));
  for (const part of PARTS) digest.update(readFileSync(join(SOURCE, part)));
  const cacheRoot = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'weir');
  const cache = join(cacheRoot, `opensearch-${digest.digest('hex').slice(0, 12)}`);
  if (!existsSync(cache)) await fill(release, cacheRoot, cache, say);
  const jars = readdirSync(join(cache, 'lib'))
    .filter((name) => name.endsWith('.jar'))
    .sort();
  return [join(cache, 'classes'), ...jars.map((name) => join(cache, 'lib', name))].join(':');
}

/** Fills a temporary directory and renames it, so that a broken download never looks like a cache. */
async function fill(release, cacheRoot, cache, say) {
  mkdirSync(cacheRoot, { recursive: true });
  const { family, version, log4j, swaps } = release;
  const draft = mkdtempSync(join(cacheRoot, 'draft-'));
  try {
    say(`downloading ${family} ${version} from Maven (30 to 60 MB, once)`);
    cpSync(join(SOURCE, 'pom.xml'), join(draft, 'pom.xml'));
    await run('mvn', [
      '-q',
      '-B',
      '-f',
      join(draft, 'pom.xml'),
      'dependency:copy-dependencies',
      '-DoutputDirectory=lib',
      '-DincludeScope=runtime',
      `-Dfamily=${family}`,
      `-Drelease=${version}`,
      `-Dlog4j=${log4j}`,
    ]);
    say('compiling its launcher');
    mkdirSync(join(draft, 'classes'));
    const launcher = join(draft, 'WeirOpenSearchNode.java');
    const source = readFileSync(join(SOURCE, 'WeirOpenSearchNode.java'), 'utf8');
    writeFileSync(
      launcher,
      swaps.reduce((text, [from, to]) => text.replaceAll(from, to), source),
    );
    await run('javac', ['-cp', join(draft, 'lib', '*'), '-d', join(draft, 'classes'), launcher]);
    cpSync(join(SOURCE, 'log4j2.properties'), join(draft, 'classes', 'log4j2.properties'));
    put(draft, cache);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Whoever fills the same cache at the same time may be first. */
function put(draft, cache) {
  try {
    renameSync(draft, cache);
  } catch (failure) {
    if (!existsSync(cache)) throw failure;
  }
}

function run(command, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const output = [];
    child.stdout.on('data', (chunk) => output.push(chunk));
    child.stderr.on('data', (chunk) => output.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve();
      else
        reject(
          new Error(`${command} ended with ${code}: ${Buffer.concat(output).toString().trim().slice(-2000)}`),
        );
    });
  });
}
