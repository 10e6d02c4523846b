// Conformance cases of admission that are decided by the law alone, as scripts.
import { describe } from '@jest/globals';
import { golden } from './golden-script.ts';

describe('conformance', () => {
  golden(
    'A2: master mode disabled, the mode of cpu enforced: cpu is active',
    `
    set corroborate false
    set mode disabled
    set master_mode disabled
    set cpu.mode enforced
    set cpu.primary 50/100
    0s    dn1 publishes cpu 100
    0s    shard on dn1 : refuses 95% primary_stressed cpu at dn1
    `,
  );

  golden(
    'A1: a mode of disabled looks at nothing and counts nothing',
    `
    set mode disabled
    0s    dn1 publishes cpu 100 heap 100 work 1000
    0s    shard on dn1 : admits
    0s    shard on dn2 : admits
    0s    guard of dn1 for primary : admits
    `,
  );

  golden(
    'A6: limit 95, value 10: nothing is refused',
    `
    set corroborate false
    set cpu.primary 95/95
    0s    dn1 publishes cpu 10
    0s    shard on dn1 : admits
    0s    guard of dn1 for primary : admits
    `,
  );

  golden(
    'A7: at a limit of 95 (a step) 95.0 is stressed and 94.99 is not',
    `
    set corroborate false
    set max_shed_ratio 1
    set cpu.primary 95/95
    0s    dn1 publishes cpu 94.99
    0s    shard on dn1 : admits
    0s    guard of dn1 for primary : admits
    1s    dn1 publishes cpu 95.0
    1s    shard on dn1 : refuses all primary_stressed cpu at dn1
    1s    guard of dn1 for primary : refuses all primary_limit cpu at dn1
    `,
  );

  golden(
    'A8: no evidence at limit 0: admitted and counted as unknown',
    `
    set corroborate false
    set max_shed_ratio 1
    set cpu.primary 0/0
    0s    shard on dn1 : admits as unknown
    `,
  );

  golden(
    'A28: a signal that is unknown is not stressed, at limit 0 either',
    `
    set corroborate false
    set max_shed_ratio 1
    set queue.mode disabled
    set cpu.primary 0/0
    0s    dn1 publishes cpu warming
    0s    shard on dn1 : admits as unknown
    1s    dn1 publishes cpu unavailable
    1s    shard on dn1 : admits as unknown
    1s    guard of dn1 for primary : admits
    2s    dn1 publishes heap 10
    2s    shard on dn1 : admits
    3s    dn1 publishes cpu 0
    3s    shard on dn1 : refuses all primary_stressed cpu at dn1
    `,
  );

  golden(
    'A13: monitor_only at limit 0 would refuse and refuses nothing',
    `
    set corroborate false
    set max_shed_ratio 1
    set mode monitor_only
    set cpu.primary 0/0
    0s    dn1 publishes cpu 50
    0s    shard on dn1 : would refuse all primary_stressed cpu at dn1
    0s    guard of dn1 for primary : would refuse all primary_limit cpu at dn1
    `,
  );
});
