import { describe, expect, it } from '@jest/globals';
import { REASON_NAMES, REASONS } from './reasons.ts';

describe('the list of reasons', () => {
  it('C055: status 429 and rejected_execution_exception always go together', () => {
    for (const reason of REASON_NAMES) {
      const { status, errorType } = REASONS[reason];
      expect(errorType === 'rejected_execution_exception').toBe(status === 429);
    }
  });

  it('is in charge order: the coordinator first, evidence_unavailable last', () => {
    expect(REASON_NAMES).toEqual([
      'coordinator_bytes',
      'coordinator_stressed',
      'primary_stressed',
      'all_replicas_stressed',
      'primary_bytes',
      'replica_bytes',
      'primary_limit',
      'replica_limit',
      'draining',
      'disk_full',
      'evidence_unavailable',
    ]);
  });
});
