import { describe, expect, it } from '@jest/globals';
import type { Evidence, Verdict } from '../admission/verdict.ts';
import { ManualClock, seededRng } from '../testing/index.ts';
import { REFUSAL_MESSAGES } from './bounded-refusal-log.ts';
import type { DecisionContext } from './decision-recorder.ts';
import { createMetrics } from './metrics.ts';
import { RecordDecisions } from './record-decisions.ts';

type Line = { level: 'info' | 'warn'; fields: Record<string, unknown>; message: string };

const evidence: Evidence = {
  reason: 'primary_stressed',
  role: 'primary',
  node: 'dn1',
  signal: 'cpu',
  value: 97.12345,
  limit: 90,
  stress: 0.5,
  ageMs: 412.7,
  retryAfterMs: 1500,
};
const refuse: Verdict = { kind: 'refuse', evidence };
const wouldRefuse: Verdict = { kind: 'would_refuse', evidence };

const context: DecisionContext = {
  role: 'primary',
  index: 'logs-a',
  shard: 2,
  operations: 3,
  bytes: 1200,
  requestId: 'req-1',
  opaqueId: undefined,
  traceId: undefined,
  settingsVersion: 7,
};

function setup(linesPerSecond = 5) {
  const clock = new ManualClock();
  const lines: Line[] = [];
  const metrics = createMetrics({ service: 'coordinator', version: '0.1.0', startedWallMs: 0 });
  const log = {
    info: (fields: object, message: string) =>
      void lines.push({ level: 'info', fields: fields as Line['fields'], message }),
    warn: (fields: object, message: string) =>
      void lines.push({ level: 'warn', fields: fields as Line['fields'], message }),
  };
  const recorder = new RecordDecisions({
    metrics,
    log,
    clock,
    timers: clock,
    rng: seededRng(1),
    linesPerSecond: () => linesPerSecond,
  });
  const value = async (series: string): Promise<number | undefined> => {
    const line = (await metrics.text()).split('\n').find((text) => text.startsWith(`${series} `));
    return line === undefined ? undefined : Number(line.split(' ').at(-1));
  };
  return { clock, lines, metrics, recorder, value };
}

describe('a recorded refusal', () => {
  it('is one warning with all its fields and a constant message', () => {
    const { lines, recorder } = setup();
    const decisionId = recorder.record(refuse, { ...context, opaqueId: 'app-1', traceId: 't-1' });
    expect(lines).toEqual([
      {
        level: 'warn',
        message: 'shard request refused',
        fields: {
          decision_id: decisionId,
          verdict: 'refuse',
          reason: 'primary_stressed',
          role: 'primary',
          index: 'logs-a',
          shard: 2,
          node: 'dn1',
          signal: 'cpu',
          value: 97.123,
          limit: 90,
          age_ms: 413,
          stress: 0.5,
          retry_after_ms: 1500,
          mode: 'enforced',
          operations: 3,
          bytes: 1200,
          request_id: 'req-1',
          opaque_id: 'app-1',
          trace_id: 't-1',
          settings_version: 7,
        },
      },
    ]);
  });

  it('C130: counts its own operations, not those of the whole bulk', async () => {
    const { recorder, value } = setup();
    recorder.record({ kind: 'admit', unknown: false }, { ...context, operations: 7 });
    recorder.record(refuse, context);
    const labels = '{role="primary",reason="primary_stressed"}';
    expect(await value(`weir_refused_operations_total${labels}`)).toBe(3);
    expect(await value(`weir_refused_bytes_total${labels}`)).toBe(1200);
  });

  it('C142: is worded, levelled and counted apart when it would only have refused', async () => {
    const { lines, recorder, value } = setup();
    recorder.record(wouldRefuse, { ...context, operations: 100 });
    expect(lines[0]).toMatchObject({
      level: 'info',
      message: REFUSAL_MESSAGES.would_refuse,
      fields: { mode: 'monitor_only' },
    });
    const labels = '{role="primary",reason="primary_stressed"}';
    expect(await value(`weir_would_refuse_operations_total${labels}`)).toBe(100);
    expect(await value(`weir_refused_operations_total${labels}`)).toBeUndefined();
    expect(recorder.admissionControlStats()['global_cpu_usage']).toEqual({
      transport: { rejection_count: {}, would_refuse_count: { indexing: 1 } },
    });
  });

  it('A5: is one count of its signal, whatever its number of operations', () => {
    const { recorder } = setup();
    recorder.record(refuse, { ...context, operations: 5_000 });
    expect(recorder.admissionControlStats()['global_cpu_usage']).toEqual({
      transport: { rejection_count: { indexing: 1 }, would_refuse_count: {} },
    });
    expect(recorder.admissionControlStats()['global_io_usage']).toEqual({
      transport: { rejection_count: {}, would_refuse_count: {} },
    });
  });

  it('C138: shows emoji and CJK whole, and control characters escaped on one line', () => {
    const { lines, recorder } = setup();
    recorder.record(refuse, { ...context, index: 'ログ-😀', opaqueId: 'a\nb\u0000c\u2028' });
    expect(lines[0]?.fields).toMatchObject({ index: 'ログ-😀', opaque_id: 'a\\u000ab\\u0000c\\u2028' });
  });

  it('C132: stays below 1 kB with the longest texts a client can send', () => {
    const { lines, recorder } = setup();
    const long = '\u0001😀'.repeat(5_000);
    recorder.record(refuse, { ...context, index: long, opaqueId: long, traceId: long, requestId: long });
    const fields = lines[0]?.fields ?? {};
    expect(Buffer.byteLength(JSON.stringify(fields))).toBeLessThan(900);
    expect(JSON.stringify(fields).isWellFormed()).toBe(true);
  });
});

describe('under a storm of refusals', () => {
  it('C132: keeps a few lines a second per reason and node and sums the rest exactly', () => {
    const { clock, lines, recorder } = setup(5);
    for (let request = 0; request < 200; request += 1) recorder.record(refuse, context);
    expect(lines).toHaveLength(5);
    clock.advance(1_000);
    expect(lines).toHaveLength(6);
    expect(lines[5]).toEqual({
      level: 'warn',
      message: REFUSAL_MESSAGES.summed,
      fields: {
        refused: {
          requests: 195,
          operations: 585,
          bytes: 234_000,
          requests_by_reason: { primary_stressed: 195 },
        },
      },
    });
    clock.advance(10_000);
    expect(lines).toHaveLength(6);
  });

  it('gives each reason and node its own lines, and new ones each second', () => {
    const { clock, lines, recorder } = setup(1);
    recorder.record(refuse, context);
    recorder.record({ kind: 'refuse', evidence: { ...evidence, node: 'dn2' } }, context);
    recorder.record({ kind: 'refuse', evidence: { ...evidence, reason: 'all_replicas_stressed' } }, context);
    clock.advance(1_000);
    recorder.record(refuse, context);
    expect(lines.map((line) => line.message)).toEqual(Array(4).fill(REFUSAL_MESSAGES.refuse));
  });

  it('writes what it holds back when it stops', () => {
    const { lines, recorder } = setup(0);
    recorder.record(refuse, context);
    recorder.record(wouldRefuse, context);
    recorder.stop();
    expect(lines.map((line) => line.fields)).toMatchObject([
      { refused: { requests: 1 }, would_refuse: { requests: 1 } },
    ]);
  });

  it('keeps the newest refusals, newest first, and finds one by its id', () => {
    const { recorder } = setup();
    const ids = Array.from({ length: 1_200 }, () => recorder.record(refuse, context));
    expect(recorder.newest(2).map((kept) => kept.decision_id)).toEqual(ids.slice(-2).reverse());
    expect(recorder.newest(5_000)).toHaveLength(1_000);
    expect(recorder.find(ids[1_199] ?? '')?.time).toBe('2023-11-14T22:13:20.000Z');
    expect(recorder.find(ids[0] ?? '')).toBeUndefined();
  });
});

describe('I14: recording never changes a verdict', () => {
  it('goes on when the log and every metric throw, also from the timer', () => {
    const clock = new ManualClock();
    const boom = (): never => {
      throw new Error('broken');
    };
    const broken = { inc: boom } as never;
    const recorder = new RecordDecisions({
      metrics: {
        decisions: broken,
        refusedOperations: broken,
        refusedBytes: broken,
        wouldRefuseOperations: broken,
        wouldRefuseBytes: broken,
      },
      log: { info: boom, warn: boom },
      clock,
      timers: clock,
      rng: seededRng(1),
      linesPerSecond: () => 0,
    });
    expect(recorder.record({ kind: 'admit', unknown: true }, context)).toBe('');
    expect(recorder.record(refuse, context)).not.toBe('');
    clock.advance(1_000);
    recorder.stop();
    expect(recorder.newest(1)).toHaveLength(1);
  });
});
