// The load generator, a process of its own: runs one load and prints its result as JSON. Arguments: the load as JSON.
import { delay, type Rng, systemClock, systemTimers } from '@weir/shared/clock';
import { seededRng } from '@weir/shared/testing';
import { Pool } from 'undici';
import type { Load } from './load-kinds.ts';
import { type Answer, Outcomes } from './outcomes.ts';
import { requestsOf } from './requests.ts';

const TICK_MS = 1;
/** Longer than any run. */
const KEEP_OPEN_MS = 600_000;
/** Failures whose answer is shown; under overload there can be thousands. */
const SHOWN_FAILURES = 5;

const load = JSON.parse(process.argv[2] ?? '') as Load;
const rng: Rng = seededRng(load.seed);
const requests = await requestsOf(load, rng);
// As many connections as requests are under way: nothing waits at the client.
const pool = new Pool(load.origin, {
  connections: null,
  headersTimeout: 0,
  bodyTimeout: 0,
  keepAliveTimeout: KEEP_OPEN_MS,
});
let failures = 0;

async function send(): Promise<Answer> {
  const { path, contentType, body } = requests.next();
  const headers = { 'content-type': contentType };
  try {
    const answer = await pool.request({ path, method: 'POST', headers, body });
    const text = await answer.body.text();
    const outcome = requests.read(answer.statusCode, text);
    if (outcome.kind === 'failed' && failures++ < SHOWN_FAILURES)
      process.stderr.write(`${answer.statusCode} ${text.slice(0, 300)}\n`);
    return outcome;
  } catch {
    return { kind: 'failed', reason: '' };
  }
}

async function closed(concurrency: number, outcomes: Outcomes, endMs: number): Promise<void> {
  const client = async (): Promise<void> => {
    for (let nowMs = systemClock.nowMs(); nowMs < endMs; nowMs = systemClock.nowMs()) {
      const request = outcomes.send(nowMs, nowMs);
      outcomes.answer(request, await send(), systemClock.nowMs());
    }
  };
  await Promise.all(Array.from({ length: concurrency }, client));
}

/** Poisson arrivals: the gaps between intended times are exponential, and no answer delays a request. */
async function open(ratePerS: number, outcomes: Outcomes, startMs: number, endMs: number): Promise<void> {
  let intendedMs = startMs;
  const cancel = systemTimers.every(TICK_MS, () => {
    for (; intendedMs <= Math.min(systemClock.nowMs(), endMs); intendedMs += gapMs(ratePerS)) {
      const request = outcomes.send(intendedMs, systemClock.nowMs());
      void send().then((answer) => outcomes.answer(request, answer, systemClock.nowMs()));
    }
  });
  await delay(systemTimers, endMs - startMs + load.deadlineMs);
  cancel();
}

/** Connections are there before they are needed: a Node server accepts one each time its event loop comes round, and that is not what is measured. */
async function openConnections(count: number): Promise<void> {
  const answers = Array.from({ length: count }, () =>
    pool.request({ path: requests.harmlessPath, method: 'GET' }),
  );
  for (const answer of await Promise.all(answers)) await answer.body.dump();
}

function gapMs(ratePerS: number): number {
  return (-Math.log(1 - rng.next()) / ratePerS) * 1_000;
}

await openConnections(
  load.kind === 'closed' ? load.concurrency : Math.ceil((2 * load.ratePerS * load.deadlineMs) / 1_000),
);
const startMs = systemClock.nowMs();
const endMs = startMs + load.warmUpMs + load.measureMs;
const outcomes = new Outcomes(startMs, load);
const before = process.cpuUsage();
if (load.kind === 'closed') await closed(load.concurrency, outcomes, endMs);
else await open(load.ratePerS, outcomes, startMs, endMs);
const nowMs = systemClock.nowMs();
const { user, system } = process.cpuUsage(before);
process.stdout.write(
  `${JSON.stringify(outcomes.result(nowMs, (user + system) / 1_000 / (nowMs - startMs)))}\n`,
);
process.exit(0);
