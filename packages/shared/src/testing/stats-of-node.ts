// A calm data node's stats for tests, with whatever a test wants to be different.
import type { NodeStats } from '../wire/node-stats.ts';

export function statsOfNode(name: string, change: Partial<NodeStats>): NodeStats {
  return {
    id: `id-${name}`,
    name,
    address: 'http://127.0.0.1:9300',
    boot_id: 'boot-1',
    seq: 1,
    draining: false,
    signals: {},
    work: 0,
    operations_waiting: 0,
    oldest_waiting_ms: 0,
    drain_per_s: null,
    accepted_total: 0,
    completed_total: 0,
    in_flight_bytes: { coordinating: 0, primary: 0, replica: 0 },
    limit_bytes: { primary: 0, replica: 0 },
    settings_version: 0,
    ...change,
  };
}
