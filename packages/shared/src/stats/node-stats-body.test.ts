import { describe, expect, it } from '@jest/globals';
import { IndexingPressure } from '../admission/indexing-pressure.ts';
import { ProcessFiguresSource } from '../signals/process-figures.ts';
import { ManualClock } from '../testing/index.ts';
import { commonSections, nodeStatsBody, parseNodeStatsMetrics } from './node-stats-body.ts';

const identity = { id: 'id1', name: 'dn1', roles: ['data'] };
const pressure = new IndexingPressure(() => ({ primary: 10_240, replica: 15_360 }));
const figures = new ProcessFiguresSource(new ManualClock());
const sections = commonSections(identity, () => ({
  figures: figures.read(),
  signals: {
    cpu: { fast: 70.74, slow: 60, quality: 'ok' },
    heap: { fast: 10, slow: 10, quality: 'warming' },
  },
  pressure: pressure.report(),
  combinedBytes: pressure.combinedBytes,
  admissionControl: { global_cpu_usage: { transport: { rejection_count: { indexing: 1 } } } },
}));

describe('a node in _nodes/stats', () => {
  it('has only the sections asked for, and none that Weir has no figures of', () => {
    const metrics = parseNodeStatsMetrics('admission_control,script');
    expect(nodeStatsBody(identity, 5, metrics, sections)).toEqual({
      timestamp: 5,
      name: 'dn1',
      roles: ['data'],
      admission_control: { global_cpu_usage: { transport: { rejection_count: { indexing: 1 } } } },
    });
  });

  it('shows percents as text in resource_usage_stats, and leaves out what is not known yet', () => {
    const body = nodeStatsBody(identity, 5, parseNodeStatsMetrics('resource_usage_stats'), sections);
    expect(body['resource_usage_stats']).toEqual({
      id1: { timestamp: expect.any(Number), cpu_utilization_percent: '70.7' },
    });
  });

  it('C143: has numbers and no null in every section', () => {
    const text = JSON.stringify(nodeStatsBody(identity, 5, parseNodeStatsMetrics(undefined), sections));
    expect(text).not.toContain('null');
    expect(JSON.parse(text)).toMatchObject({
      os: { cpu: { percent: 71 }, mem: { used_percent: expect.any(Number) } },
      jvm: { mem: { heap_used_percent: expect.any(Number), heap_max_in_bytes: expect.any(Number) } },
      indexing_pressure: { memory: { limit_in_bytes: 10_240, current: { all_in_bytes: 0 } } },
    });
  });

  it('is asked for by known metrics only', () => {
    expect(() => parseNodeStatsMetrics('os,bogus')).toThrow('contains unrecognized metric: [bogus]');
    expect(parseNodeStatsMetrics('_all').size).toBe(parseNodeStatsMetrics('').size);
  });
});
