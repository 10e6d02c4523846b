import { describe, expect, it } from '@jest/globals';
import { passThroughTimeoutMs } from './pass-through-timeout.ts';

const timeout = (target: string) => passThroughTimeoutMs(target, 65_000);
const DAY_MS = 24 * 3_600_000;

describe('time for a request that is passed through', () => {
  it('is longer than all that its client lets OpenSearch wait', () => {
    expect(timeout('/_search')).toBe(65_000);
    expect(timeout('/_cluster/health?wait_for_status=green&timeout=50s')).toBe(115_000);
    expect(timeout('/x?timeout=2m&cluster_manager_timeout=30s')).toBe(215_000);
    expect(timeout('/_cluster/state?wait_for_metadata_version=9&wait_for_timeout=20s')).toBe(85_000);
  });

  it('is not shortened by what OpenSearch will complain of', () => {
    expect(timeout('/x?timeout=soon')).toBe(65_000);
    expect(timeout('/x?timeout')).toBe(65_000);
    expect(timeout('/x?timeout=%zz')).toBe(65_000);
  });

  it('is a day for work that is answered when it is done', () => {
    expect(timeout('/logs/_forcemerge')).toBe(DAY_MS);
    expect(timeout('/_reindex?slices=2')).toBe(DAY_MS);
    expect(timeout('/_reindex?wait_for_completion=false')).toBe(65_000);
    expect(timeout('/_snapshot/a/b?wait_for_completion=true')).toBe(DAY_MS);
    expect(timeout('/x?timeout=-1')).toBe(DAY_MS);
    expect(timeout('/x?timeout=300d')).toBe(DAY_MS);
  });
});
