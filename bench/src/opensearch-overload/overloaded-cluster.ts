// A real OpenSearch of two nodes on one core: warmed, asked for its capacity, given a fresh index for each load, and left alone until it is idle.
import { delay, systemClock, systemTimers } from '@weir/shared';
import type { Cores } from '../support/cores.ts';
import { rounded } from '../support/figures.ts';
import { createIndex, type OpenSearchNode, startOpenSearch } from '../support/opensearch-processes.ts';
import { mustCall } from '../support/rest.ts';
import { closedLoad, INDEX, type LoadTarget, openLoad, type Timing, type Watching } from './run-load.ts';
import { type NodeFigures, readNodes } from './watch-nodes.ts';

const CLIENTS = [4, 8, 16];
const CAPACITY: Timing = { warmUpMs: 2_000, measureMs: 8_000 };
const WARM_UP_CLIENTS = 8;
/** Few, so that next to nothing is refused. */
const WARM_UP_CLIENTS_IN_FRONT = 2;
const IDLE_POLL_MS = 500;
/** Work in a queue of a minute, at three times the capacity, takes two more to be done. */
const IDLE_LIMIT_MS = 600_000;
/** An idle JVM's share of the machine stays below this. */
const IDLE_CPU_PERCENT = 5;

export class OverloadedCluster {
  readonly nodes: readonly [OpenSearchNode, OpenSearchNode];
  readonly stop: () => Promise<void>;
  readonly #direct: LoadTarget;
  #lastCapacity: number | undefined;

  private constructor(started: Awaited<ReturnType<typeof startOpenSearch>>, cores: Cores) {
    this.nodes = started.nodes;
    this.stop = started.stop;
    const [n1, n2] = started.nodes;
    this.#direct = { origin: n1.origin, nodeOrigin: n1.origin, processes: { n1, n2 }, cores };
  }

  static async start(cores: Cores, settings: Readonly<Record<string, string>> = {}) {
    return new OverloadedCluster(await startOpenSearch({ cpus: cores.own, settings }), cores);
  }

  get origin(): string {
    return this.#direct.nodeOrigin;
  }

  /** Also long enough that OpenSearch's admission control knows its nodes: it admits everything in their first two minutes. */
  async warmUp(durationMs: number): Promise<void> {
    const endMs = systemClock.nowMs() + durationMs;
    await this.#freshIndex();
    await closedLoad(this.#direct, WARM_UP_CLIENTS, { warmUpMs: 0, measureMs: durationMs });
    while (
      systemClock.nowMs() < endMs ||
      !(await this.#every(({ averageCpuPercent }) => averageCpuPercent !== undefined))
    ) {
      if (systemClock.nowMs() > endMs + IDLE_LIMIT_MS) throw new Error('OpenSearch does not know its nodes');
      await delay(systemTimers, IDLE_POLL_MS);
    }
  }

  /** The same for what stands in front of the cluster, whose code is compiled as it is used, too. */
  async warmUpInFront(target: Partial<LoadTarget>, durationMs: number): Promise<void> {
    await this.#freshIndex();
    const timing = { warmUpMs: 0, measureMs: durationMs };
    await closedLoad({ ...this.#direct, ...target }, WARM_UP_CLIENTS_IN_FRONT, timing);
  }

  /** The most bulks a second that end within the deadline, sent directly. */
  async capacity(): Promise<number> {
    await this.#rest(({ writeQueue, writeActive }) => writeQueue + writeActive === 0);
    const reached: number[] = [];
    for (const clients of CLIENTS) {
      await this.#freshIndex();
      reached.push((await closedLoad(this.#direct, clients, CAPACITY)).goodputPerS);
    }
    this.#lastCapacity = Math.max(...reached);
    return this.#lastCapacity;
  }

  /** What it was when it was measured last. */
  async lastCapacity(): Promise<number> {
    return this.#lastCapacity ?? this.capacity();
  }

  /** One overload of an idle cluster, sent directly or by way of a target. */
  async overload(ratePerS: number, timing: Timing, target: Partial<LoadTarget> = {}): Promise<Watching> {
    await this.#rest(
      ({ writeQueue, writeActive, averageCpuPercent = 0 }) =>
        writeQueue + writeActive === 0 && averageCpuPercent < IDLE_CPU_PERCENT,
    );
    await this.#freshIndex();
    return openLoad({ ...this.#direct, ...target }, ratePerS, timing);
  }

  /** OpenSearch's own settings; null resets one. */
  async set(transient: Readonly<Record<string, unknown>>): Promise<void> {
    await mustCall('PUT', `${this.origin}/_cluster/settings`, { transient });
  }

  /** For a load: until nothing waits, and what admission control averages over 30 s has gone down again. */
  async #rest(isIdle: (node: NodeFigures) => boolean): Promise<void> {
    const startMs = systemClock.nowMs();
    while (!(await this.#every(isIdle))) {
      if (systemClock.nowMs() - startMs > IDLE_LIMIT_MS)
        throw new Error(`OpenSearch was not idle after ${rounded(IDLE_LIMIT_MS / 1_000)} s`);
      await delay(systemTimers, IDLE_POLL_MS);
    }
  }

  async #every(holds: (node: NodeFigures) => boolean): Promise<boolean> {
    const nodes = await readNodes(this.origin).catch(() => undefined);
    return nodes !== undefined && [...nodes.values()].every(holds);
  }

  /** No load finds the documents and merges of the one before it. */
  async #freshIndex(): Promise<void> {
    await mustCall('DELETE', `${this.origin}/${INDEX}?ignore_unavailable=true`);
    await createIndex(this.origin, INDEX);
  }
}
