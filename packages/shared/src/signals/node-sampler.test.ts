import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '../testing/manual-clock.ts';
import { FieldWarnings } from './field-warnings.ts';
import { HostSampler, SAMPLE_INTERVAL_MS } from './node-sampler.ts';
import { SAMPLED_SIGNALS, type Sample, type SampledSignal, type Sampler } from './sampler.ts';

type Warned = { readonly message: string; readonly field: unknown; readonly value: unknown };

/** Samplers that answer what `answer` says, and what became of them. */
function watched(answer: (signal: SampledSignal) => unknown = () => 50) {
  const clock = new ManualClock();
  const warned: Warned[] = [];
  const counts = { samples: 0, closed: 0 };
  const sampler = (signal: SampledSignal): Sampler => ({
    sample: () => {
      if (signal === 'cpu') counts.samples += 1;
      return answer(signal) as Sample;
    },
    close: () => {
      counts.closed += 1;
    },
  });
  const host = new HostSampler({
    samplers: {
      cpu: sampler('cpu'),
      heap: sampler('heap'),
      io: sampler('io'),
      event_loop: sampler('event_loop'),
    },
    clock,
    timers: clock,
    warnings: new FieldWarnings((message, { field, value }) => warned.push({ message, field, value }), clock),
  });
  return { clock, host, counts, warned };
}

describe('the host sampler', () => {
  it('C094: takes exactly one sample per interval at 2000 requests a second', () => {
    const { clock, host, counts } = watched();
    host.start();
    for (let request = 0; request < 20_000; request++) {
      host.readings();
      clock.advance(0.5);
    }
    expect(counts.samples).toBe(1 + Math.floor(10_000 / SAMPLE_INTERVAL_MS));
  });

  it('C090: keeps 500 ms between samples, whoever asks', () => {
    const { clock, host, counts } = watched();
    host.start();
    clock.advance(499);
    expect(host.sampleNow()).toBe(false);
    clock.advance(1);
    expect(host.sampleNow()).toBe(true);
    expect(counts.samples).toBe(2);
  });

  it('tells its listener of every sample it took', () => {
    const { clock, host } = watched();
    const heard: number[] = [];
    host.start(() => heard.push(clock.nowMs()));
    clock.advance(2 * SAMPLE_INTERVAL_MS);
    expect(heard).toEqual([0, SAMPLE_INTERVAL_MS, 2 * SAMPLE_INTERVAL_MS]);
  });

  it.each(SAMPLED_SIGNALS)('C092: a %s that is no number is unknown and warned of once a minute', (bad) => {
    for (const value of [Number.NaN, undefined, null, '12', Number.POSITIVE_INFINITY]) {
      const { clock, host, warned } = watched((signal) => (signal === bad ? value : 50));
      host.start();
      clock.advance(59_000);
      expect(host.readings()[bad]).toBeUndefined();
      expect(warned).toHaveLength(1);
      expect(warned[0]).toMatchObject({ field: bad, value: value === '12' ? '"12"' : String(value) });
      clock.advance(2_000);
      expect(warned).toHaveLength(2);
      for (const signal of SAMPLED_SIGNALS.filter((name) => name !== bad)) {
        expect(host.readings()[signal]).toEqual({ fast: 50, slow: 50, quality: 'ok' });
      }
    }
  });

  it('C092: nothing it publishes turns into null in JSON', () => {
    const { clock, host } = watched(() => Number.NaN);
    host.start();
    clock.advance(10_000);
    expect(JSON.stringify(host.readings())).toBe('{}');
  });

  it('goes on when a sampler throws', () => {
    const { clock, host, warned } = watched((signal) => {
      if (signal === 'io') throw new Error('EIO');
      return 50;
    });
    host.start();
    clock.advance(4_000);
    expect(host.readings().cpu?.quality).toBe('ok');
    expect(warned).toEqual([
      { message: 'a signal cannot be read and counts as unknown', field: 'io', value: 'Error: EIO' },
    ]);
  });

  it('samples no more once stopped, and closes every sampler', () => {
    const { clock, host, counts } = watched();
    host.start();
    host.stop();
    clock.advance(60_000);
    expect(counts).toEqual({ samples: 1, closed: 4 });
  });
});
