// Whether the lint rule against ambient time and chance fires on every way to write it, and only where it should.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { inScratchTree, ROOT } from '../../support/repository.ts';

const AMBIENT = [
  'Date.now()',
  'globalThis.Date.now()',
  'Date()',
  'new Date()',
  'new globalThis.Date()',
  'performance.now()',
  'globalThis.performance.now()',
  'process.hrtime()',
  'process.hrtime.bigint()',
  'process.uptime()',
  'AbortSignal.timeout(5)',
  'setTimeout(run)',
  'setTimeout(run, 1)',
  'setTimeout(run, 1, 2, 3)',
  'globalThis.setTimeout(run, 1)',
  'setInterval(run, 1)',
  'setImmediate(run)',
  'Math.random()',
  'crypto.randomUUID()',
  'randomBytes(8)',
  'randomInt(8)',
  'crypto.getRandomValues(run)',
  'const later = setTimeout',
  "import { setTimeout as sleep } from 'node:timers/promises'",
  "import timers from 'timers'",
];

const INJECTED = [
  'new Date(wallMs)',
  'Date.parse(text)',
  'Math.max(1, 2)',
  'performance.eventLoopUtilization()',
  "import './timers.ts'",
];

const PLACES = {
  'packages/datanode/src/engine/probe.ts': true,
  'packages/coordinator/src/bulk/probe.test.ts': true,
  'test/properties/probe.test.ts': true,
  'tools/src/probe.ts': true,
  'packages/shared/src/ops/clock.ts': false,
  'packages/datanode/src/main.ts': false,
  'test/e2e/probe.test.ts': false,
  'bench/src/probe.ts': false,
} as const;

const fileOf = (list: 'ambient' | 'injected', position: number) =>
  `packages/shared/src/${list}-${position}.ts`;

/** Paths the rule fires on when all the probes above are linted with this repository's configuration. */
function flaggedPaths(): ReadonlySet<string> {
  const files = Object.fromEntries([
    ...AMBIENT.map((source, position) => [fileOf('ambient', position), `${source};\n`]),
    ...INJECTED.map((source, position) => [fileOf('injected', position), `${source};\n`]),
    ...Object.keys(PLACES).map((path) => [path, 'Date.now();\n']),
  ]);
  return inScratchTree(files, ['biome.json', 'no-ambient-time.grit', '.gitignore'], (directory) => {
    const biome = join(ROOT, 'node_modules/@biomejs/biome/bin/biome');
    const run = spawnSync(
      process.execPath,
      [biome, 'lint', '--reporter=json', '--max-diagnostics=none', '.'],
      {
        cwd: directory,
        encoding: 'utf8',
      },
    );
    const report = JSON.parse(run.stdout) as {
      diagnostics: { category: string; location: { path: string } }[];
    };
    return new Set(
      report.diagnostics.filter(({ category }) => category === 'plugin').map(({ location }) => location.path),
    );
  });
}

describe('the rule against ambient time and chance', () => {
  let flagged: ReadonlySet<string>;
  beforeAll(() => {
    flagged = flaggedPaths();
  });

  it.each(AMBIENT)('refuses %s', (source) => {
    expect(flagged).toContain(fileOf('ambient', AMBIENT.indexOf(source)));
  });

  it.each(INJECTED)('lets %s pass', (source) => {
    expect(flagged).not.toContain(fileOf('injected', INJECTED.indexOf(source)));
  });

  it.each(Object.entries(PLACES))('in %s: %s', (path, refused) => {
    expect(flagged.has(path)).toBe(refused);
  });
});
