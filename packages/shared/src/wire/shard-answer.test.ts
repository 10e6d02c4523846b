import { describe, expect, it } from '@jest/globals';
import { statsOfNode } from '../testing/index.ts';
import { parseShardAnswer } from './shard-answer.ts';

const evidence = {
  ...{ reason: 'replica_limit', role: 'replica', node: 'dn2', signal: 'queue', value: 700, limit: 600 },
  ...{ stress: 0.5, ageMs: 0, retryAfterMs: 1_000 },
};
const stats = statsOfNode('dn2', {});
const refused = { outcome: 'refused', permanent: false, decisionId: 'd', evidence, stats };
const parse = (answer: object) => parseShardAnswer(Buffer.from(JSON.stringify(answer)));

describe('C155: an answer of a newer version', () => {
  it('stays a refusal when its reason or its signal is not known here', () => {
    expect(parse(refused)).toEqual(refused);
    const odd = { ...refused, evidence: { ...evidence, reason: 'too_warm', signal: 'fan' } };
    expect(parse(odd)).toEqual({ ...refused, evidence: { ...evidence, signal: 'none' } });
    const atPrimary = { ...refused, evidence: { ...odd.evidence, role: 'primary' } };
    expect(parse(atPrimary)).toMatchObject({ evidence: { reason: 'primary_limit', signal: 'none' } });
  });

  it('stays a failure when its code is not known here', () => {
    const failed = { outcome: 'failed', code: 'moon_phase', message: 'why' };
    expect(parse(failed)).toEqual({ ...failed, code: 'unavailable' });
  });

  it('counts without its stats when those cannot be read', () => {
    for (const outcome of [refused, { outcome: 'applied', results: [] }]) {
      const answer = { ...outcome, stats: { id: 'dn2' } };
      expect(parse(answer)).toEqual({ ...outcome, stats: undefined });
    }
  });
});

it('what is no answer at all is none', () => {
  for (const text of ['', '[]', '{"outcome":"maybe"}', '{"outcome":"applied","results":[1]}'])
    expect(parseShardAnswer(Buffer.from(text))).toBeUndefined();
});
