// Installs what package-lock.json names, when it is not there yet, and makes sure that the native module loads.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { inRoot } from './root.mjs';
import { run, runNode } from './run.mjs';
import { Failure, say } from './say.mjs';

const OLDEST_NODE = [20, 19];

/** Installs if need be; says what it does only when it takes long. */
export async function install() {
  checkNode();
  if (!isInstalled()) {
    say('Installing dependencies (better-sqlite3 may compile for a minute or two) …');
    // Development dependencies hold the compiler, so they are needed wherever npm was told to leave them out.
    if ((await npm(['ci', '--include=dev', '--no-audit', '--no-fund'])) !== 0)
      throw new Failure('npm ci failed (see above): mend that and try again');
  }
  if (loadsSqlite()) return;
  say('Compiling better-sqlite3 for this version of Node …');
  await npm(['rebuild', 'better-sqlite3', '--ignore-scripts=false', '--foreground-scripts']);
  if (!loadsSqlite())
    throw new Failure(
      'better-sqlite3 does not load: it needs python3, make and a C++ compiler where its prebuilt binary cannot be fetched',
    );
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE;
  if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor))
    throw new Failure(
      `Node ${process.versions.node} is too old: ${OLDEST_NODE.join('.')} or newer is needed`,
    );
}

/** Compares the lock file with the one npm leaves in node_modules; packages of other platforms may be absent. */
function isInstalled() {
  const wanted = packagesOf('package-lock.json');
  const present = packagesOf('node_modules/.package-lock.json');
  if (wanted === undefined || present === undefined) return false;
  return Object.entries(wanted).every(([path, { version, link, optional }]) => {
    if (!path.startsWith('node_modules/') || link) return true;
    const found = present[path];
    return found === undefined ? optional === true : found.version === version;
  });
}

function packagesOf(path) {
  try {
    return JSON.parse(readFileSync(inRoot(path), 'utf8')).packages;
  } catch {
    return undefined;
  }
}

function loadsSqlite() {
  try {
    const Database = createRequire(inRoot('packages/datanode/package.json'))('better-sqlite3');
    new Database(':memory:').close();
    return true;
  } catch {
    return false;
  }
}

/** The npm that started this command, else the one on PATH. */
function npm(args) {
  const script = process.env.npm_execpath;
  if (script?.endsWith('.js') || script?.endsWith('.cjs')) return runNode([script, ...args]);
  return run('npm', args, { shell: process.platform === 'win32' });
}
