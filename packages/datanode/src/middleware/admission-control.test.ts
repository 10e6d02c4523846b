import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type Listening, serve, systemClock } from '@weir/shared';
import express from 'express';
import {
  type AdmissionControl,
  type AdmissionControlOptions,
  admissionControl,
} from './admission-control.ts';

type Body = { readonly error?: Readonly<Record<string, unknown>> };

let listening: Listening | undefined;
let control: AdmissionControl | undefined;

afterEach(async () => {
  control?.dispose();
  await listening?.stop(0);
});

/** A service whose one route costs real processor time, and a health check beside it. */
async function start(options: AdmissionControlOptions, rounds = 1) {
  let handled = 0;
  const app = express();
  control = admissionControl({
    name: 'orders',
    classify: (request) => (request.path === '/healthz' ? undefined : 'primary'),
    ...options,
  });
  app.use(control);
  app.get('/healthz', (_request, response) => void response.json({ ok: true }));
  app.all('/work', (_request, response) => {
    handled += 1;
    let digest = Buffer.alloc(64);
    for (let round = 0; round < rounds; round += 1) digest = createHash('sha512').update(digest).digest();
    response.json({ digest: digest.toString('hex') });
  });
  listening = await serve(app, { host: '127.0.0.1', port: 0 });
  const { origin } = listening;
  const ask = async (path: string, init?: RequestInit) => {
    const response = await fetch(origin + path, init);
    const body = (await response.json()) as Body;
    return { status: response.status, headers: response.headers, body };
  };
  return { ask, handled: () => handled };
}

/** Rounds of hashing that take this machine about `ms`; measured, so that the test means the same everywhere. */
function roundsFor(ms: number): number {
  let rounds = 0;
  const untilMs = systemClock.nowMs() + 100;
  while (systemClock.nowMs() < untilMs) {
    createHash('sha512').update(Buffer.alloc(64)).digest();
    rounds += 1;
  }
  return Math.ceil((rounds * ms) / 100);
}

const rejectionsOf = (stats: Readonly<Record<string, unknown>>) => {
  const control = stats['admission_control'] as Record<
    string,
    { transport: { rejection_count: { indexing?: number } } }
  >;
  return Object.values(control).reduce(
    (sum, { transport }) => sum + (transport.rejection_count.indexing ?? 0),
    0,
  );
};

/** Whatever else this machine does meanwhile, only the work waiting here counts. */
const ONLY_QUEUE = Object.fromEntries(
  ['cpu', 'heap', 'io', 'event_loop'].map((signal) => [`weir.admission.${signal}.mode`, 'disabled']),
);

describe('admissionControl()', () => {
  it('refuses what would wait too long with 429, Retry-After and OpenSearch’s body, serves the rest, and recovers', async () => {
    const { ask, handled } = await start(
      {
        settings: {
          ...ONLY_QUEUE,
          'weir.admission.queue.primary.soft': 100,
          'weir.admission.queue.primary.hard': 150,
        },
      },
      roundsFor(10),
    );
    for (let warm = 0; warm < 20; warm += 1) expect((await ask('/work')).status).toBe(200);
    // Connections first: Node accepts one per turn of its loop, and what waits in the kernel is seen by nobody.
    await Promise.all(Array.from({ length: 300 }, () => ask('/healthz')));

    const flood = Array.from({ length: 300 }, () => ask('/work'));
    const health = ask('/healthz');
    const answers = await Promise.all(flood);
    expect((await health).status).toBe(200);
    const refused = answers.filter(({ status }) => status === 429);
    const served = answers.filter(({ status }) => status === 200);
    expect(refused.length).toBeGreaterThan(0);
    expect(served.length).toBeGreaterThan(0);
    expect(served.length + refused.length).toBe(300);
    expect(handled()).toBe(20 + served.length);
    expect(refused[0]?.body).toMatchObject({
      status: 429,
      error: { type: 'rejected_execution_exception', node: 'orders', signal: 'queue', limit: 100 },
    });
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(rejectionsOf(control?.stats() ?? {})).toBe(refused.length);

    expect((await ask('/work')).status).toBe(200);
  }, 60_000);

  it('holds the bytes of a request exactly as long as it runs, and calls one that can never pass 413', async () => {
    const { ask } = await start({ settings: { 'weir.indexing_pressure.limit': '1mb' } });
    const post = (bytes: number) => ask('/work', { method: 'POST', body: Buffer.alloc(bytes) });
    expect((await post(1024 * 1024)).status).toBe(200);
    const tooLarge = await post(1024 * 1024 + 1);
    expect([tooLarge.status, tooLarge.body.error?.['reason'], tooLarge.headers.get('retry-after')]).toEqual([
      413,
      'request of 1048577 bytes is over the limit of 1048576 bytes and can never pass',
      null,
    ]);
    expect(control?.stats()).toMatchObject({
      indexing_pressure: { memory: { current: { primary_in_bytes: 0 }, total: { primary_rejections: 1 } } },
    });
  });

  it('gives everything back when clients break off', async () => {
    const { ask } = await start({ bytes: () => 1_000 }, roundsFor(5));
    const aborts = Array.from({ length: 40 }, (_, number) => {
      const controller = new AbortController();
      const call = ask('/work', { signal: controller.signal }).catch(() => undefined);
      if (number % 2 === 0) controller.abort();
      return call;
    });
    await Promise.all(aborts);
    await ask('/healthz');
    expect(control?.stats()).toMatchObject({
      indexing_pressure: { memory: { current: { primary_in_bytes: 0 } } },
    });
  });

  it('only counts in monitor_only', async () => {
    // Nothing is let through by chance: 5 % would be.
    const all = { 'weir.admission.mode': 'monitor_only', 'weir.admission.max_shed_ratio': 1 };
    const zero = { 'weir.admission.queue.primary.soft': 0, 'weir.admission.queue.primary.hard': 0 };
    const { ask } = await start({ settings: { ...all, ...zero } });
    expect((await ask('/work')).status).toBe(200);
    expect(rejectionsOf(control?.stats() ?? {})).toBe(0);
    expect(control?.stats()).toMatchObject({
      admission_control: { global_queue_usage: { transport: { would_refuse_count: { indexing: 1 } } } },
    });
  });

  it('says at once what is wrong with its settings, all of it', () => {
    expect(() =>
      admissionControl({ settings: { 'weir.admission.mod': 'off', 'weir.bulk.max_body': 'x' } }),
    ).toThrow(/weir\.admission\.mod\].*weir\.admission\.mode.*weir\.bulk\.max_body/);
  });
});
