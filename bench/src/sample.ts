// What does one full sample of a node cost, and does sampling disturb the event loop of a process with 2 GB in memory?
// Method: 5000 samples of all signals on this machine's real files, each timed alone, on a clock set forward by one interval per sample.
// Then four phases of real time, sampler off, on, on, off, while the process holds 2 GB of touched memory: p99 of a 1 ms timer's delay.
import { createHook } from 'node:async_hooks';
import { tmpdir } from 'node:os';
import { createHistogram, monitorEventLoopDelay, type RecordableHistogram } from 'node:perf_hooks';
import {
  delay,
  openHostSampler,
  readHostFacts,
  SAMPLE_INTERVAL_MS,
  systemClock,
  systemTimers,
} from '@weir/shared';
import { ManualClock } from '@weir/shared/testing';
import { printJson, printTable } from './support/figures.ts';

const SAMPLES = 5_000;
const PHASE_MS = 8_000;
const RESIDENT_BYTES = 2 * 1024 ** 3;
const warn = (message: string, fields: object): void =>
  void process.stderr.write(`${message} ${JSON.stringify(fields)}\n`);

function timed(times: number, run: () => void): RecordableHistogram {
  const histogram = createHistogram();
  for (let round = 0; round < times; round++) {
    const beganMs = systemClock.nowMs();
    run();
    histogram.record(Math.max(1, Math.round((systemClock.nowMs() - beganMs) * 1e6)));
  }
  return histogram;
}

function costOfSamples(): { sample: RecordableHistogram; readings: RecordableHistogram; processes: number } {
  let processes = 0;
  const hook = createHook({
    init(_id, type) {
      if (type === 'PROCESSWRAP') processes += 1;
    },
  }).enable();
  const clock = new ManualClock();
  const sampler = openHostSampler({ clock, timers: clock, warn, dataPath: tmpdir() });
  const one = (): void => {
    clock.advance(SAMPLE_INTERVAL_MS);
    sampler.sampleNow();
  };
  timed(SAMPLES / 5, one);
  const sample = timed(SAMPLES, one);
  const readings = timed(SAMPLES, () => sampler.readings());
  sampler.stop();
  hook.disable();
  return { sample, readings, processes };
}

/** p99 of the loop's delay over one phase, in ms beyond the timer's own 1 ms. */
async function loopDelayP99Ms(on: boolean): Promise<number> {
  const sampler = openHostSampler({ clock: systemClock, timers: systemTimers, warn, dataPath: tmpdir() });
  const monitor = monitorEventLoopDelay({ resolution: 1 });
  if (on) sampler.start();
  monitor.enable();
  await delay(systemTimers, PHASE_MS);
  monitor.disable();
  sampler.stop();
  return Math.max(0, monitor.percentile(99) / 1e6 - 1);
}

const { sample, readings, processes } = costOfSamples();
const ballast = Buffer.alloc(RESIDENT_BYTES, 1);
const off = [await loopDelayP99Ms(false)];
const on = [await loopDelayP99Ms(true), await loopDelayP99Ms(true)];
off.push(await loopDelayP99Ms(false));
const facts = await readHostFacts();

const us = (nanoseconds: number): number => Math.round(nanoseconds / 10) / 100;
const result = {
  sample_p50_us: us(sample.percentile(50)),
  sample_p99_us: us(sample.percentile(99)),
  share_of_core_percent: (sample.mean / (SAMPLE_INTERVAL_MS * 1e6)) * 100,
  readings_p50_us: us(readings.percentile(50)),
  child_processes: processes,
  loop_delay_p99_ms_off: Math.min(...off),
  loop_delay_p99_ms_on: Math.max(...on),
  resident_mb: Math.round(process.memoryUsage().rss / 2 ** 20),
  ballast_mb: ballast.length / 2 ** 20,
  cores: facts.cores,
};
printTable(
  Object.entries(result).map(([figure, value]) => ({ figure, measured: Number(value.toPrecision(4)) })),
);
if (process.argv.includes('--json')) printJson(result);
