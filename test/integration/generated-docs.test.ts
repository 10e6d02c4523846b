import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '../support/repository.ts';

describe('docs/settings.md and docs/metrics.md', () => {
  it('are what the schemas say now', () => {
    const { status, stderr } = spawnSync(
      process.execPath,
      [join(ROOT, 'tools/dist/generate-docs.js'), '--check'],
      { encoding: 'utf8' },
    );
    expect([status, stderr]).toEqual([0, '']);
  });
});
