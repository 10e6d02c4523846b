// What the client of a shard request asked for beside its operations: the path of the bulk that performs it, and whether it waits for more than the work.
import type { ShardRequest } from '../wire/operation.ts';

type Asked = Pick<ShardRequest, 'refresh' | 'waitForActiveShards'>;

export function bulkPath({ refresh, waitForActiveShards }: Asked, timeoutMs: number): string {
  const query = new URLSearchParams({ timeout: `${Math.max(1, Math.floor(timeoutMs))}ms` });
  if (refresh !== 'false') query.set('refresh', refresh);
  if (waitForActiveShards !== 1) query.set('wait_for_active_shards', String(waitForActiveShards));
  return `/_bulk?${query}`;
}

/**
 * A write that waits for a refresh or for copies says nothing of how fast its node works, however long it takes: agents do not count it, and
 * coordinators must not expect them to.
 */
export function waitsForMore({ refresh, waitForActiveShards }: Asked): boolean {
  return refresh === 'wait_for' || waitForActiveShards !== 1;
}
