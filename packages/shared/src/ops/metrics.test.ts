import { describe, expect, it } from '@jest/globals';
import { METRIC_NAMES, METRICS } from './metric-list.ts';
import { createMetrics, type GaugeSource } from './metrics.ts';

const create = () =>
  createMetrics({ service: 'datanode', version: '1.2.3', startedWallMs: 1_700_000_000_000 });

const source: GaugeSource = {
  inFlightBytes: () => ({ primary: 10, replica: 20, coordinator: 0 }),
  signalPercent: (signal) => (signal === 'cpu' ? 42 : undefined),
  delayMs: () => undefined,
  evidenceAgesMs: () => new Map([['dn1', 1_500]]),
  redisUp: () => true,
  settingsVersion: () => 3,
};

describe('metrics', () => {
  it('show every metric of the list with its help text, counters with _total', async () => {
    const text = await create().text();
    for (const name of METRIC_NAMES) {
      expect(text).toContain(`# HELP ${name} ${METRICS[name].help}`);
      expect(text).toContain(`# TYPE ${name} ${METRICS[name].kind}`);
      expect(name.endsWith('_total')).toBe(METRICS[name].kind === 'counter');
    }
  });

  it('C140: carry the start time, and the help of a counter says since when it counts', async () => {
    expect(await create().text()).toContain('process_start_time_seconds 1700000000');
    const counters = METRIC_NAMES.filter((name) => METRICS[name].kind === 'counter');
    for (const name of counters) expect(METRICS[name].help).toContain('since the start of the process');
  });

  it('C134: have labels from closed lists only, and none for an index', () => {
    for (const name of METRIC_NAMES) {
      expect(Object.keys(METRICS[name].labels)).not.toContain('index');
    }
  });

  it('read the gauges at each scrape and leave out what is unknown', async () => {
    const metrics = create();
    metrics.readGaugesFrom(source);
    const text = await metrics.text();
    expect(text).toContain('weir_in_flight_bytes{role="replica"} 20');
    expect(text).toContain('weir_signal_ratio{signal="cpu"} 0.42');
    expect(text).toContain('weir_evidence_age_seconds{node="dn1"} 1.5');
    expect(text).toContain('weir_redis_up 1');
    expect(text).not.toMatch(/^weir_delay_seconds /m);
    expect(text).not.toContain('signal="io"');
  });

  it('forget a node that is gone', async () => {
    const metrics = create();
    metrics.readGaugesFrom(source);
    await metrics.text();
    metrics.readGaugesFrom({ ...source, evidenceAgesMs: () => new Map() });
    expect(await metrics.text()).not.toContain('node="dn1"');
  });

  it('are apart for two services in one process', async () => {
    const [one, other] = [create(), create()];
    one.bulkOperations.inc({ outcome: 'accepted' });
    expect(await other.text()).not.toContain('outcome="accepted"');
  });
});
