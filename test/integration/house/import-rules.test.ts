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

/** Names of the rules that fire on a repository of these files. */
function brokenRules(files: Readonly<Record<string, string>>): string[] {
  const copied = [
    '.dependency-cruiser.cjs',
    ...WORKSPACES.map((workspace) => join(workspace, 'package.json')),
  ];
  return inScratchTree(files, copied, (directory) => {
    mkdirSync(join(directory, 'node_modules/@weir'), { recursive: true });
    mkdirSync(join(directory, 'bench'), { recursive: true });
    for (const name of ['shared', 'coordinator', 'datanode'])
      symlinkSync(join(directory, 'packages', name), join(directory, 'node_modules/@weir', name));
    const cruiser = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
    const options = ['--config', '.dependency-cruiser.cjs', '--output-type', 'json'];
    const run = spawnSync(process.execPath, [cruiser, 'packages', 'test', 'bench', 'tools', ...options], {
      cwd: directory,
      encoding: 'utf8',
    });
    const report = JSON.parse(run.stdout) as { summary: { violations: { rule: { name: string } }[] } };
    return [...new Set(report.summary.violations.map(({ rule }) => rule.name))].sort();
  });
}

describe('the rules of who may import whom', () => {
  it('let a sound tree pass', () => {
    expect(brokenRules(SOUND)).toEqual([]);
  });

  it.each([
    ['services-never-on-each-other', 'packages/coordinator/src/a.ts', "import '@weir/datanode';"],
    [
      'services-never-on-each-other',
      'packages/datanode/src/a.ts',
      "import '../../coordinator/src/index.ts';",
    ],
    ['shared-is-the-ground', 'packages/shared/src/a.ts', "import type { word } from '@weir/datanode';"],
    ['no-test-doubles-in-services', 'packages/datanode/src/a.ts', "import '@weir/shared/testing';"],
    ['packages-not-on-their-users', 'packages/datanode/src/a.ts', "import '../../../test/support.ts';"],
    ['no-tests-imported', 'packages/coordinator/src/a.ts', "import './word.test.ts';"],
    ['no-unresolved', 'packages/coordinator/src/a.ts', "import './missing.ts';"],
    ['no-circular', 'packages/shared/src/index.ts', "export { word } from './testing/index.ts';"],
  ])('%s fires when %s says %s', (rule, path, source) => {
    expect(brokenRules({ ...SOUND, [path]: source })).toContain(rule);
  });
});
