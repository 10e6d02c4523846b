// How long does one shard decision take, over a primary and 2 replicas, with 1000 nodes in the view?
// Method: requests go to random nodes of the view, so that their state is not always in the cache. The median is that of batches of 100
// decisions divided by 100: one decision is near the timer's own cost. The 99th percentile is that of single decisions, each between two
// readings of the timer, whose cost is measured and left in. `--json` prints one object as the last line, of the calm case and of the
// case in which every primary is stressed and every second one's requests are shed; the digest of a shard request is measured apart.
import { parseArgs } from 'node:util';
import {
  CALM,
  ClusterView,
  type DecisionMoment,
  decideShard,
  digestOf,
  type NodeStats,
  type Operation,
  type ShardFacts,
  systemClock,
} from '@weir/shared';
import { DEFAULT_SETTINGS, seededRng, statsOfNode } from '@weir/shared/testing';
import { printJson, printTable, quantile, rounded } from './support/figures.ts';

const { values: flags } = parseArgs({ options: { json: { type: 'boolean', default: false } } });
const NODES = 1_000;
const REQUESTS = 4_096;
const BATCH = 100;
const BATCHES = 10_000;
const SINGLES = 500_000;
const WARM_UP = 300_000;
const SAMPLED_MS = 1_000_000;
const OWN = { name: 'co1', stress: CALM };

const rng = seededRng(1);
const requests = Array.from({ length: REQUESTS }, requestOf);

function nodeOf(): number {
  return Math.floor(rng.next() * NODES);
}

function requestOf(): ShardFacts {
  const digest = Math.floor(rng.next() * 2 ** 32);
  const ids = [nodeOf(), nodeOf(), nodeOf()].map((node) => `id-dn${node}`);
  const [primary = '', ...replicas] = ids;
  return { index: 'logs-a', shard: Math.floor(rng.next() * 8), primary, replicas, digest: () => digest };
}

/** A view of nodes that published twice, so that rates are known, and were sent some work since. */
function viewOf(signals: NodeStats['signals'], work: number): ClusterView {
  const view = new ClusterView(() => DEFAULT_SETTINGS);
  for (const [seq, nowMs] of [
    [1, SAMPLED_MS - 1_000],
    [2, SAMPLED_MS],
  ] as const) {
    for (let node = 0; node < NODES; node++) {
      const load = { work, drain_per_s: 80_000, accepted_total: seq * 50_000 };
      view.apply(statsOfNode(`dn${node}`, { seq, signals, ...load }), nowMs);
      view.noteAdmitted(`id-dn${node}`, 10_000);
    }
  }
  return view;
}

function momentOf(): DecisionMoment {
  return { nowMs: SAMPLED_MS + 300, settings: DEFAULT_SETTINGS, shed: { epoch: 1, salt: 7 } };
}

let next = 0;
let refused = 0;
let decided = 0;

function decideNext(view: ClusterView, moment: DecisionMoment): void {
  next = (next + 1) % REQUESTS;
  const facts = requests[next];
  if (facts === undefined) throw new RangeError('no request');
  decided += 1;
  if (decideShard(facts, view, OWN, moment).kind === 'refuse') refused += 1;
}

type Measured = { readonly medianNs: number; readonly p99Ns: number; readonly refusedShare: number };

function measure(view: ClusterView): Measured {
  const moment = momentOf();
  for (let at = 0; at < WARM_UP; at++) decideNext(view, moment);
  refused = 0;
  decided = 0;
  const batches = timed(BATCHES, () => {
    for (let at = 0; at < BATCH; at++) decideNext(view, moment);
  });
  const singles = timed(SINGLES, () => decideNext(view, moment));
  return {
    medianNs: Math.round(quantile(batches, 0.5) / BATCH),
    p99Ns: Math.round(quantile(singles, 0.99)),
    refusedShare: refused / decided,
  };
}

/** Nanoseconds of each run, in ascending order. */
function timed(runs: number, run: () => void): Float64Array {
  const ns = new Float64Array(runs);
  for (let at = 0; at < runs; at++) {
    const startMs = systemClock.nowMs();
    run();
    ns[at] = (systemClock.nowMs() - startMs) * 1e6;
  }
  return ns.sort();
}

/** Nanoseconds that the digest of a shard request of 100 documents of 1 KB takes. */
function digestNs(): number {
  const operations = Array.from(
    { length: 100 },
    (_, at): Pick<Operation, 'kind' | 'id' | 'autoId' | 'routing' | 'source'> => ({
      kind: 'index',
      id: `document-${at}`,
      autoId: false,
      routing: undefined,
      source: Buffer.alloc(1_024, 97 + (at % 26)),
    }),
  );
  timed(2_000, () => digestOf(operations));
  return Math.round(
    quantile(
      timed(2_000, () => digestOf(operations)),
      0.5,
    ),
  );
}

const calmSignals = {
  cpu: { fast: 40, slow: 40, quality: 'ok' },
  heap: { fast: 50, slow: 50, quality: 'ok' },
} as const;
const busySignals = {
  cpu: { fast: 99, slow: 99, quality: 'ok' },
  heap: { fast: 86, slow: 86, quality: 'ok' },
} as const;
const timerNs = Math.round(
  quantile(
    timed(SINGLES, () => {}),
    0.5,
  ),
);
const calm = measure(viewOf(calmSignals, 1_000));
const shedding = measure(viewOf(busySignals, 1_000));
const digest = digestNs();

printTable(
  Object.entries({ calm, shedding }).map(([name, { medianNs, p99Ns, refusedShare }]) => ({
    ...{ case: name, 'median, ns': medianNs, 'p99, ns': p99Ns },
    'refused, %': rounded(100 * refusedShare, 1),
  })),
);
process.stdout.write(
  `\ntimer ${timerNs} ns (in each single decision); digest of 100 documents of 1 KB ${digest} ns (only while shedding)\n`,
);
if (flags.json) {
  printJson({
    median_ns: calm.medianNs,
    p99_ns: calm.p99Ns,
    shedding_median_ns: shedding.medianNs,
    shedding_p99_ns: shedding.p99Ns,
    timer_ns: timerNs,
    digest_ns: digest,
  });
}
