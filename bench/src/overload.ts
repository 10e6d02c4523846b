// What is left of a data node's capacity at three times the load it can take: with Weir, without control, and with what Express users reach for?
// Method: the data node is the bottleneck and has a core of its own; Redis, the coordinator and the load generator share the other ones. A
// request is the update of one counter in a stored document of 128 KB: 40 bytes to carry, and for the data node a document to read, parse,
// merge, write and sync. Its capacity is measured first: closed loop, more and more clients, requests a second that end within the deadline of
// 1 s; the plateau counts, and it is measured again after Weir's row, so that a machine that changed meanwhile shows. Then every row gets the
// same open load of 3 × capacity: Poisson arrivals on as many connections as it takes, latency from the intended time of sending, no retry,
// 5 s of warm-up and 20 s measured. An answer after the deadline is no goodput; what was neither answered nor refused a deadline after the last
// request counts as accepted with the time it had waited, which is less than it would have taken. The rows: Weir enforced; Weir disabled; and
// an Express application in one process on the data node's core, with the same engine on the same kind of directory, with nothing, a cap on
// requests in flight (the best of three sizes, found in short runs), overload-protection and toobusy-js as they come, and express-rate-limit
// set to the measured capacity, which nobody knows in practice. `--seconds n` measured per row (default 20), `--only a,b` rows by name,
// `--json` prints one object as the last line.
import { parseArgs } from 'node:util';
import {
  closedLoad,
  DEADLINE_MS,
  earlyShare,
  type Measured,
  openLoad,
  type Timing,
  tableRow,
} from './overload/rows.ts';
import { type PeerTarget, peerTarget, type WeirTarget, weirTarget } from './overload/targets.ts';
import { shareOutCores } from './support/cores.ts';
import { printJson, printTable, rounded } from './support/figures.ts';

const { values: flags } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    only: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const OVERLOAD = 3;
const CLIENTS = [8, 16, 32];
const CAPACITY: Timing = { warmUpMs: 500, measureMs: 2_500 };
const ROW: Timing = { warmUpMs: 5_000, measureMs: Number(flags.seconds) * 1_000 };
/** Sizes of the cap, as shares of what can be done within the deadline. */
const CAP_SHARES = [0.2, 0.4, 0.7];
const CAP_TRIAL: Timing = { warmUpMs: 500, measureMs: 2_000 };
const PEERS = ['nothing', 'cap', 'overload-protection', 'toobusy-js', 'express-rate-limit'];

const wanted = flags.only?.split(',');
const isWanted = (row: string): boolean => wanted === undefined || wanted.includes(row);

const cores = shareOutCores();

type Weir = {
  readonly capacities: readonly number[];
  readonly enforced: Measured | undefined;
  readonly none: Measured | undefined;
};

async function measureWeir(): Promise<Weir> {
  const target = await weirTarget(cores);
  try {
    const first = await plateau(target, CLIENTS);
    const enforced = isWanted('weir') ? await atOverload(target, 'enforced', first.perS) : undefined;
    const again = await plateau(target, [first.clients]);
    const none = isWanted('disabled') ? await atOverload(target, 'disabled', first.perS) : undefined;
    return { capacities: [first.perS, again.perS], enforced, none };
  } finally {
    await target.kill();
  }
}

async function atOverload(target: WeirTarget, mode: 'enforced' | 'disabled', capacityPerS: number) {
  await target.admission(mode);
  return openLoad(target, OVERLOAD * capacityPerS, ROW, cores);
}

/** The most that ends within the deadline, and with how many clients. */
async function plateau(target: WeirTarget, clientCounts: readonly number[]) {
  await target.admission('disabled');
  let best = { perS: 0, clients: 0 };
  for (const clients of clientCounts) {
    const { goodputPerS } = await closedLoad(target, clients, CAPACITY, cores);
    if (goodputPerS > best.perS) best = { perS: goodputPerS, clients };
  }
  return best;
}

async function measurePeer(control: string, capacityPerS: number) {
  const target = await peerTarget(control, cores);
  try {
    const limit = control === 'cap' ? await bestCap(target, capacityPerS) : capacityPerS;
    await target.setLimit(limit);
    const measured = await openLoad(target, OVERLOAD * capacityPerS, ROW, cores);
    return { name: control === 'cap' ? `cap of ${limit}` : control, control, measured };
  } finally {
    await target.kill();
  }
}

async function bestCap(target: PeerTarget, capacityPerS: number): Promise<number> {
  let best = { limit: 0, goodputPerS: -1 };
  for (const share of CAP_SHARES) {
    const limit = Math.round((share * capacityPerS * DEADLINE_MS) / 1_000);
    await target.setLimit(limit);
    const { goodputPerS } = await openLoad(target, OVERLOAD * capacityPerS, CAP_TRIAL, cores);
    if (goodputPerS > best.goodputPerS) best = { limit, goodputPerS };
  }
  return best.limit;
}

async function main(): Promise<void> {
  const { capacities, enforced, none } = await measureWeir();
  const [first = 0, again = 0] = capacities;
  const capacity = (first + again) / 2;
  const peers = [];
  for (const control of PEERS.filter(isWanted)) peers.push(await measurePeer(control, first));
  process.stdout.write(
    `capacity ${first} requests/s before, ${again} after Weir's row; shares are of the mean, ${rounded(capacity, 1)}\n\n`,
  );
  const rows = [
    ...(enforced === undefined ? [] : [tableRow('Weir, enforced', enforced, capacity)]),
    ...(none === undefined ? [] : [tableRow('Weir, disabled', none, capacity)]),
    ...peers.map(({ name, measured }) => tableRow(`Express, ${name}`, measured, capacity)),
  ];
  printTable(rows);
  if (enforced !== undefined)
    process.stdout.write(`\nrefusals by reason: ${JSON.stringify(enforced.refusedBy)}\n`);
  if (!flags.json) return;
  printJson({
    capacity: rounded(capacity, 1),
    goodput: enforced?.goodputPerS,
    goodput_none: none?.goodputPerS,
    p99_ms: enforced?.acceptedMs.p99,
    p99_none_ms: none?.acceptedMs.p99,
    early_share: enforced === undefined ? undefined : earlyShare(enforced),
    peers: Object.fromEntries(
      peers.map(({ control, measured }) => [
        control,
        { goodput: measured.goodputPerS, p99_ms: measured.acceptedMs.p99 },
      ]),
    ),
    capacity_before_and_after: capacities,
    load_lateness_p99_ms: enforced?.latenessMs.p99,
  });
}

await main();
