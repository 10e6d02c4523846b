import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import {
  createMetrics,
  type Evidence,
  METRICS,
  REASON_NAMES,
  REASONS,
  RecordDecisions,
  type RefusalReason,
} from '@weir/shared';
import { ManualClock, seededRng } from '@weir/shared/testing';
import { refusalFailure } from '../bulk/refusal-item.ts';

const refusals = REASON_NAMES.filter((name): name is RefusalReason => name !== 'evidence_unavailable');
const docs = readFileSync(join(process.cwd(), 'docs/metrics.md'), 'utf8').split('\n');

function evidenceOf(reason: RefusalReason): Evidence {
  const facts = { role: 'primary', node: 'dn1', signal: 'cpu', value: 97, limit: 90 } as const;
  return { reason, ...facts, stress: 0.5, ageMs: 10, retryAfterMs: 1_000 };
}

/** What a recorded refusal leaves in log and metrics. */
async function record(reason: RefusalReason): Promise<{ logged: unknown; series: string }> {
  const clock = new ManualClock();
  const metrics = createMetrics({ service: 'coordinator', version: '0', startedWallMs: 0 });
  const lines: object[] = [];
  const log = {
    info: (fields: object) => void lines.push(fields),
    warn: (fields: object) => void lines.push(fields),
  };
  const rng = seededRng(1);
  const recorder = new RecordDecisions({ metrics, log, clock, timers: clock, rng, linesPerSecond: () => 5 });
  recorder.record(
    { kind: 'refuse', evidence: evidenceOf(reason) },
    {
      role: 'primary',
      index: 'logs',
      shard: 0,
      operations: 1,
      bytes: 1,
      requestId: 'r',
      opaqueId: undefined,
      traceId: undefined,
      settingsVersion: 1,
    },
  );
  return { logged: lines[0], series: await metrics.text() };
}

describe('every reason has four faces that agree', () => {
  it.each(refusals)('%s: log field, metric label, answer to the client, row of the docs', async (reason) => {
    const { logged, series } = await record(reason);
    expect(logged).toMatchObject({ reason });
    expect(series).toContain(
      `weir_admission_decisions_total{role="primary",verdict="refuse",reason="${reason}",signal="cpu"} 1`,
    );
    const { status, error } = refusalFailure({
      evidence: evidenceOf(reason),
      subject: 'shard request for [logs][0]',
      bytes: 1,
      permanent: false,
      decisionId: 'd',
    });
    const { where, status: documented, errorType, meaning } = REASONS[reason];
    expect([status, error.type, error.weir?.['reason']]).toEqual([documented, errorType, reason]);
    expect(docs).toContain(`| \`${reason}\` | ${where} | ${status} | \`${error.type}\` | ${meaning} |`);
  });

  it('evidence_unavailable admits: a metric label and a row of the docs', () => {
    expect(METRICS.weir_admission_decisions_total.labels.reason).toContain('evidence_unavailable');
    expect(docs.some((line) => line.startsWith('| `evidence_unavailable` | coordinator | 200 |'))).toBe(true);
  });

  it('C055: status 429 and rejected_execution_exception always go together', () => {
    for (const name of REASON_NAMES) {
      const { status, errorType } = REASONS[name];
      expect(status === 429).toBe(errorType === 'rejected_execution_exception');
    }
  });
});
