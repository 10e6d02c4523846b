import { describe, expect, it } from '@jest/globals';
import { readinessOf } from './readiness.ts';

const fine = { metadataKnown: true, busUp: true, liveDataNodes: 3, stopping: false };

describe('readiness', () => {
  it('is ready when nothing is missing', () => {
    expect(readinessOf(fine).status).toBe('ready');
  });

  it('C106: is only degraded, with the reason, while the bus or the data nodes are away', () => {
    const { status, checks } = readinessOf({ ...fine, busUp: false, liveDataNodes: 0 });
    expect(status).toBe('degraded');
    expect(checks['bus']?.reason).toContain('the bus does not answer');
    expect(checks['data_nodes']?.status).toBe('degraded');
  });

  it('is not ready before the metadata is known, nor while stopping', () => {
    expect(readinessOf({ ...fine, metadataKnown: false }).status).toBe('not_ready');
    expect(readinessOf({ ...fine, stopping: true }).status).toBe('not_ready');
  });
});
