// The samplers of an agent: the node's own figures, the host's where the two share one, and the agent's own event loop.
import {
  type Clock,
  CounterWindow,
  EventLoopSampler,
  FieldWarnings,
  fullest,
  HostSampler,
  openHostCpu,
  openHostIo,
  type Sample,
  type Sampler,
  type Timers,
  type Warn,
} from '@weir/shared';
import type { NodeFigures } from './node-figures.ts';

export type NodeSignalsPorts = {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly warn: Warn;
  /** Undefined while none are fresh. */
  readonly figures: () => NodeFigures | undefined;
  /** The node runs on this host. */
  readonly sameHost: boolean;
  /** Where it keeps its data on this host. */
  readonly dataPath: string | undefined;
};

/** Not yet started. A signal that neither node nor host tells of is unknown. */
export function nodeSignals({
  clock,
  timers,
  warn,
  figures,
  sameHost,
  dataPath,
}: NodeSignalsPorts): HostSampler {
  const warnings = new FieldWarnings(warn, clock);
  const nodeCpu = told(() => figures()?.cpuPercent);
  const samplers = {
    cpu: sameHost ? fuller(openHostCpu(warnings), nodeCpu) : nodeCpu,
    heap: told(() => figures()?.heapPercent),
    io: dataPath === undefined ? diskOf(figures) : openHostIo(dataPath, warnings),
    // Not the node's, which fills many cores: an agent that cannot keep up must not be a bottleneck nobody sees.
    event_loop: new EventLoopSampler(),
  };
  return new HostSampler({ samplers, clock, timers, warnings });
}

/** The node's newest figure, again and again until it tells another one: averages are weighed by time. */
function told(percent: () => Sample): Sampler {
  return { sample: percent, close: () => {} };
}

function fuller(one: Sampler, other: Sampler): Sampler {
  return {
    sample: (nowMs) => fullest([one.sample(nowMs), other.sample(nowMs)]),
    close() {
      one.close();
      other.close();
    },
  };
}

function diskOf(figures: () => NodeFigures | undefined): Sampler {
  const window = new CounterWindow();
  return told(() => {
    const io = figures()?.ioBusy;
    return io && window.observe(io.busyMs, io.readAtMs, io.readAtMs);
  });
}
