// Public cases that the law alone decides, as scripts.
import { describe } from '@jest/globals';
import { golden } from './golden-script.ts';

describe('public cases', () => {
  golden(
    'C047: a cpu spike of one second refuses nothing; ten seconds do; it ends within seconds of the recovery',
    `
    set corroborate false
    0s    dn1 samples cpu 50
    1s    dn1 samples cpu 50
    2s    dn1 samples cpu 97
    2s    shard on dn1 : admits
    3s    dn1 samples cpu 50
    3s    shard on dn1 : admits
    4s    dn1 samples cpu 50
    4s    shard on dn1 : admits
    ${steady('cpu', 97, 5, 10)}
    14s   shard on dn1 : refuses 79% primary_stressed cpu at dn1
    15s   dn1 samples cpu 50
    16s   dn1 samples cpu 50
    17s   dn1 samples cpu 50
    17s   shard on dn1 : admits
    `,
  );

  golden(
    'C048: a heap that climbs from 40 to 92 and falls again every 4 s refuses nothing at 85; a steady 92 does',
    `
    set heap.primary 85/95
    set heap.replica 90/96
    ${sawTooth(0, 10)}
    40s   shard on dn1 : admits
    40s   guard of dn1 for primary : admits
    ${steady('heap', 92, 41, 10)}
    50s   shard on dn1 : refuses 79% primary_stressed heap at dn1
    `,
  );

  golden(
    'C052: no replicas are no stressed replicas; one of two stressed is forwarded; all stressed is refused; the primary counts by itself',
    `
    set corroborate false
    0s    dn1 publishes cpu 50
    0s    dn2 publishes cpu 99
    0s    dn3 publishes cpu 50
    0s    shard on dn1 : admits
    0s    shard on dn1 with dn2 : refuses 90% all_replicas_stressed cpu at dn2
    0s    shard on dn1 with dn2 dn3 : admits
    1s    dn3 publishes cpu 98
    1s    shard on dn1 with dn2 dn3 : refuses 80% all_replicas_stressed cpu at dn3
    1s    shard on dn1 : admits
    2s    dn1 publishes cpu 97
    2s    shard on dn1 : refuses 80% primary_stressed cpu at dn1
    2s    shard on dn1 with dn1 : refuses 80% primary_stressed cpu at dn1
    `,
  );

  golden(
    'C096: a node that was stressed and one that was calm are both unknown once their evidence is too old',
    `
    set corroborate false
    0s    dn1 publishes cpu 97
    0s    dn2 publishes cpu 10
    5s    shard on dn1 : refuses 80% primary_stressed cpu at dn1
    5s    shard on dn2 : admits
    5.1s  shard on dn1 : admits as unknown
    5.1s  shard on dn2 : admits as unknown
    `,
  );

  golden(
    'C111: when all nodes fall silent together nothing is refused, however long it lasts',
    `
    set corroborate false
    0s    dn1 publishes cpu 50
    0s    dn2 publishes cpu 99
    0s    dn3 publishes cpu 99
    0s    shard on dn1 with dn2 dn3 : refuses 90% all_replicas_stressed cpu at dn2
    6s    shard on dn1 with dn2 dn3 : admits as unknown
    60s   shard on dn1 with dn2 dn3 : admits as unknown
    `,
  );

  golden(
    'C112: what stands in the snapshot is no evidence; the node counts from its first newer sample on',
    `
    set corroborate false
    0s    dn1 is found in the snapshot with cpu 99
    0s    shard on dn1 : admits as unknown
    1s    dn1 is heard again
    1s    shard on dn1 : admits as unknown
    2s    dn1 publishes cpu 99
    2s    shard on dn1 : refuses 93% primary_stressed cpu at dn1
    `,
  );
});

/** One tooth is 40, 57, 75, 92 percent, a second apart. */
function sawTooth(fromS: number, teeth: number): string {
  const line = (at: number) => `${fromS + at}s  dn1 samples heap ${Math.round(40 + (52 / 3) * (at % 4))}`;
  return Array.from({ length: teeth * 4 }, (_, at) => line(at)).join('\n');
}

function steady(signal: string, percent: number, fromS: number, seconds: number): string {
  return Array.from({ length: seconds }, (_, at) => `${fromS + at}s  dn1 samples ${signal} ${percent}`).join(
    '\n',
  );
}
