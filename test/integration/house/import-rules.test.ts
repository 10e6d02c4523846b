// Whether the rules of who may import whom let a sound tree pass and catch each violation.
import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { inScratchTree, ROOT, WORKSPACES } from '../../support/repository.ts';

const SOUND = {
  'packages/shared/src/index.ts': 'export const word = 1;',
  'packages/shared/src/testing/index.ts': "export { word } from '../index.ts';",
  'packages/datanode/src/index.ts': "export { word } from '@weir/shared';",
  'packages/coordinator/src/index.ts': "export { word } from '@weir/shared';",
  'packages/coordinator/src/word.test.ts': "import '@weir/shared/testing';",
  'packages/standalone/src/main.ts': "import '@weir/coordinator';\nimport '@weir/datanode';",
  'test/support.ts': 'export {};',
};

/** Each breaks one rule in a file of its own. */
const VIOLATIONS = [
  ['services-never-on-each-other', 'packages/coordinator/src/a.ts', "import '@weir/datanode';"],
  ['services-never-on-each-other', 'packages/datanode/src/a.ts', "import '../../coordinator/src/index.ts';"],
  ['shared-is-the-ground', 'packages/shared/src/a.ts', "import type { word } from '@weir/datanode';"],
  ['no-test-doubles-in-services', 'packages/datanode/src/b.ts', "import '@weir/shared/testing';"],
  ['packages-not-on-their-users', 'packages/datanode/src/c.ts', "import '../../../test/support.ts';"],
  ['no-tests-imported', 'packages/coordinator/src/b.ts', "import './word.test.ts';"],
  ['no-unresolved', 'packages/coordinator/src/c.ts', "import './missing.ts';"],
  ['no-circular', 'packages/shared/src/d.ts', "import './e.ts';"],
] as const;

/** The rules that fire on a repository of these files, each with the file it fires on. */
function findings(files: Readonly<Record<string, string>>): string[] {
  const copied = [
    '.dependency-cruiser.cjs',
    ...WORKSPACES.map((workspace) => join(workspace, 'package.json')),
  ];
  return inScratchTree(files, copied, (directory) => {
    mkdirSync(join(directory, 'node_modules/@weir'), { recursive: true });
    for (const name of ['shared', 'coordinator', 'datanode'])
      symlinkSync(join(directory, 'packages', name), join(directory, 'node_modules/@weir', name));
    const cruiser = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
    const options = ['--config', '.dependency-cruiser.cjs', '--output-type', 'json'];
    const run = spawnSync(process.execPath, [cruiser, 'packages', 'test', 'bench', 'tools', ...options], {
      cwd: directory,
      encoding: 'utf8',
    });
    const report = JSON.parse(run.stdout) as {
      summary: { violations: { rule: { name: string }; from: string }[] };
    };
    return report.summary.violations.map(({ rule, from }) => `${rule.name}: ${from}`);
  });
}

describe('the rules of who may import whom', () => {
  it('let a sound tree pass', () => {
    expect(findings(SOUND)).toEqual([]);
  });

  it('catch each violation where it stands, and nothing else', () => {
    const broken = Object.fromEntries(VIOLATIONS.map(([, path, source]) => [path, source]));
    const found = findings({ ...SOUND, ...broken, 'packages/shared/src/e.ts': "import './d.ts';" });
    expect(found.sort()).toEqual(VIOLATIONS.map(([rule, path]) => `${rule}: ${path}`).sort());
  });
});
