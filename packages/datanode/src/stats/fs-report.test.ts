import { describe, expect, it } from '@jest/globals';
import { fsReport } from './fs-report.ts';

describe('this node in OpenSearch’s shape', () => {
  it('shows the room on the disk of the data', () => {
    expect(fsReport(7, '/data', { totalBytes: 100, freeBytes: 60, availableBytes: 50 })).toEqual({
      timestamp: 7,
      total: { total_in_bytes: 100, free_in_bytes: 60, available_in_bytes: 50 },
      data: [{ path: '/data', total_in_bytes: 100, free_in_bytes: 60, available_in_bytes: 50 }],
    });
  });
});
