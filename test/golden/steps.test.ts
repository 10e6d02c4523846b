// The steps from sample to refusal, each as a script a person can check against docs/settings.md.
import { describe } from '@jest/globals';
import { golden } from './golden-script.ts';

describe('step 1: averages', () => {
  golden(
    'quick to rise: the fast average passes 90 within four seconds of a load of 97',
    `
    set corroborate false
    0s    dn1 samples cpu 50
    1s    dn1 samples cpu 97
    2s    dn1 samples cpu 97
    3s    dn1 samples cpu 97
    3s    shard on dn1 : admits
    4s    dn1 samples cpu 97
    4s    shard on dn1 : refuses 38% primary_stressed cpu at dn1
    `,
  );
});

describe('steps 2 and 3: states and ramp', () => {
  golden(
    'a signal is calm up to soft, and once stressed refuses down to leave',
    `
    set corroborate false
    0s    dn1 publishes cpu 89.9
    0s    shard on dn1 : admits
    1s    dn1 publishes cpu 90
    1s    shard on dn1 : refuses 33% primary_stressed cpu at dn1
    4s    dn1 publishes cpu 86
    4s    shard on dn1 : refuses 7% primary_stressed cpu at dn1
    5s    dn1 publishes cpu 85
    5s    shard on dn1 : admits
    6s    dn1 publishes cpu 89
    6s    shard on dn1 : admits
    `,
  );

  golden(
    'stress is not over before the least hold, but refuses nothing below leave',
    `
    set corroborate false
    0s    dn1 publishes cpu 95
    1s    dn1 publishes cpu 80
    1s    shard on dn1 : admits
    1.9s  dn1 publishes cpu 89
    1.9s  shard on dn1 : refuses 27% primary_stressed cpu at dn1
    2.5s  dn1 publishes cpu 80
    2.6s  dn1 publishes cpu 89
    2.6s  shard on dn1 : admits
    `,
  );

  golden(
    'hard = leave is a step at soft',
    `
    set corroborate false
    set leave_margin 0
    set cpu.primary 90/90
    set cpu.replica 95/95
    0s    dn1 publishes cpu 90
    0s    shard on dn1 : refuses 95% primary_stressed cpu at dn1
    0.5s  dn1 publishes cpu 89.9
    0.5s  shard on dn1 : admits
    `,
  );

  golden(
    'a signal that becomes unknown has to pass soft again',
    `
    set corroborate false
    0s    dn1 publishes cpu 95
    1s    dn1 publishes cpu unavailable
    1s    shard on dn1 : admits
    2s    dn1 publishes cpu 89
    2s    shard on dn1 : admits
    `,
  );

  golden(
    'changed limits count at once, without a new sample',
    `
    set corroborate false
    0s    dn1 publishes cpu 80
    0s    shard on dn1 : admits
    0.1s  set cpu.primary 75/85
    0.1s  shard on dn1 : refuses 67% primary_stressed cpu at dn1
    0.2s  set cpu.primary 90/100
    0.2s  shard on dn1 : admits
    `,
  );
});

describe('step 4: work waiting', () => {
  golden(
    'work ÷ drain is the delay: 36 at 80 a second are 450 ms, over soft 400',
    `
    0s    dn1 publishes work 36 drain 80
    0s    shard on dn1 : refuses 58% primary_stressed queue at dn1
    `,
  );

  golden(
    'the age of the oldest waiting item counts if it is larger',
    `
    0s    dn1 publishes work 4 drain 80 oldest 470
    0s    shard on dn1 : refuses 75% primary_stressed queue at dn1
    `,
  );

  golden(
    'what the node has drained since its sample is taken off, so that a stale view does not starve it',
    `
    0s    dn1 publishes work 60 drain 80
    0s    shard on dn1 : refuses 95% primary_stressed queue at dn1
    0.3s  shard on dn1 : refuses 58% primary_stressed queue at dn1
    0.5s  shard on dn1 : admits
    `,
  );

  golden(
    'what this coordinator has sent since is added, so that a stale view does not overshoot',
    `
    0s    dn1 publishes work 0 drain 80
    0s    shard on dn1 : admits
    0s    coordinator sends 36 to dn1
    0s    shard on dn1 : refuses 58% primary_stressed queue at dn1
    `,
  );

  golden(
    'R1: no completions seen: the drain rate is unknown, its term is left out, nothing is refused for it',
    `
    0s    dn1 publishes work 5000 drain unknown
    0s    shard on dn1 : admits
    1s    shard on dn1 : admits
    2s    dn1 publishes work 5000 drain unknown oldest 480
    2s    shard on dn1 : refuses 83% primary_stressed queue at dn1
    `,
  );

  golden(
    'R4: a new boot id begins anew, also when its sequence is lower',
    `
    0s    dn1 publishes work 60 drain 80
    0s    shard on dn1 : refuses 95% primary_stressed queue at dn1
    1s    dn1 restarts
    1s    dn1 publishes work 0 drain unknown
    1s    shard on dn1 : admits
    `,
  );
});

describe('step 5: corroboration', () => {
  golden(
    'a busy node with little waiting is doing well; its cpu counts as work piles up',
    `
    0s    dn1 publishes cpu 100 work 0 drain 80
    0s    shard on dn1 : admits
    1s    dn1 publishes cpu 100 work 24 drain 80
    1s    shard on dn1 : admits
    2s    dn1 publishes cpu 100 work 32 drain 80
    2s    shard on dn1 : refuses 50% primary_stressed cpu at dn1
    `,
  );

  golden(
    'heap is never weighed: memory gives no warning by queueing',
    `
    0s    dn1 publishes heap 90 work 0 drain 80
    0s    shard on dn1 : refuses 88% primary_stressed heap at dn1
    `,
  );

  golden(
    'without corroboration cpu, io and event loop are the bare limits',
    `
    set corroborate false
    0s    dn1 publishes io 97 work 0 drain 80
    0s    shard on dn1 : refuses 80% primary_stressed io at dn1
    1s    dn1 publishes event_loop 97 work 0 drain 80
    1s    shard on dn1 : refuses 80% primary_stressed event_loop at dn1
    `,
  );
});

describe('step 6: culprit', () => {
  golden(
    'the largest stress is charged; on equal stress heap before queue before cpu',
    `
    set corroborate false
    0s    dn1 publishes cpu 97 io 99 work 0 drain 80
    0s    shard on dn1 : refuses 93% primary_stressed io at dn1
    1s    dn1 publishes cpu 100 heap 92 work 200 drain 80
    1s    shard on dn1 : refuses 95% primary_stressed heap at dn1
    2s    dn1 publishes cpu 100 heap 50 work 200 drain 80
    2s    shard on dn1 : refuses 95% primary_stressed queue at dn1
    `,
  );

  golden(
    'a signal in mode monitor_only is left out of what refuses and shows in what would',
    `
    set corroborate false
    set io.mode monitor_only
    0s    dn1 publishes io 99 work 0 drain 80
    0s    shard on dn1 : would refuse 93% primary_stressed io at dn1
    1s    set io.mode disabled
    1s    shard on dn1 : admits
    `,
  );
});

describe('step 7: one shard request', () => {
  golden(
    'a replica is held against the replica limits',
    `
    set corroborate false
    0s    dn1 publishes cpu 50
    0s    dn2 publishes cpu 94
    0s    shard on dn1 with dn2 : admits
    0s    shard on dn2 : refuses 60% primary_stressed cpu at dn2
    `,
  );

  golden(
    'one replica of unknown state: no replica term',
    `
    set corroborate false
    0s    dn1 publishes cpu 50
    0s    dn2 publishes cpu 99
    0s    shard on dn1 with dn2 dn3 : admits
    `,
  );

  golden(
    'I13: a dead replica is not a stressed one, and not one that saves the day either',
    `
    set corroborate false
    0s    dn3 publishes cpu 50
    40s   dn1 publishes cpu 50
    40s   dn2 publishes cpu 99
    40s   shard on dn1 with dn2 dn3 : refuses 90% all_replicas_stressed cpu at dn2
    40s   shard on dn1 with dn3 : admits
    `,
  );

  golden(
    "the coordinator's own stress comes first in charge order, and counts with the work it has waiting",
    `
    0s    dn1 publishes cpu 50
    0s    coordinator samples heap 90
    0s    shard on dn1 : refuses 88% coordinator_stressed heap at co1
    1s    coordinator samples cpu 100 oldest 0
    1s    shard on dn1 : admits
    2s    coordinator samples cpu 100 oldest 450
    2s    shard on dn1 : refuses 75% coordinator_stressed cpu at co1
    `,
  );

  golden(
    'the largest of the terms decides, and the first that applies is charged',
    `
    set corroborate false
    0s    coordinator samples heap 84
    0s    dn1 publishes cpu 50
    0s    dn2 publishes cpu 99
    0s    shard on dn1 : refuses 53% coordinator_stressed heap at co1
    `,
  );

  golden(
    'early refusal switched off leaves the guards alone, with the limits as they are written',
    `
    set coordinator.enabled false
    0s    dn1 publishes work 36 drain 80
    0s    shard on dn1 : admits
    0s    guard of dn1 for primary : refuses 58% primary_limit queue at dn1
    `,
  );

  golden(
    'beside gates the guard begins where their ramp ends: at 667 ms by default, and for cpu at 500 ms',
    `
    0s    dn1 publishes cpu 50 work 44 drain 80
    0s    shard on dn1 : refuses 95% primary_stressed queue at dn1
    0s    guard of dn1 for primary : admits
    1s    dn1 publishes cpu 100 work 40 drain 80
    1s    guard of dn1 for primary : admits
    2s    dn1 publishes cpu 100 work 50 drain 80
    2s    guard of dn1 for primary : refuses 47% primary_limit cpu at dn1
    3s    dn1 publishes cpu 50 work 70 drain 80
    3s    guard of dn1 for primary : refuses 95% primary_limit queue at dn1
    3s    guard of dn1 for replica : admits
    `,
  );
});

describe('step 8: shedding', () => {
  golden(
    'I12: at most 95 % is shed, so that probes keep flowing; a ratio of 1 lets a limit refuse everything',
    `
    0s    dn1 publishes work 4000 drain 80
    0s    shard on dn1 : refuses 95% primary_stressed queue at dn1
    1s    set max_shed_ratio 1
    1s    shard on dn1 : refuses all primary_stressed queue at dn1
    `,
  );
});
