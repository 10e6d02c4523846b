// The path of a bulk that performs one shard request: what its client asked for, and how long OpenSearch may wait.
import type { ShardRequest } from '../wire/operation.ts';

type Asked = Pick<ShardRequest, 'refresh' | 'waitForActiveShards'>;

export function bulkPath({ refresh, waitForActiveShards }: Asked, timeoutMs: number): string {
  const query = new URLSearchParams({ timeout: `${Math.max(1, Math.floor(timeoutMs))}ms` });
  if (refresh !== 'false') query.set('refresh', refresh);
  if (waitForActiveShards !== 1) query.set('wait_for_active_shards', String(waitForActiveShards));
  return `/_bulk?${query}`;
}
