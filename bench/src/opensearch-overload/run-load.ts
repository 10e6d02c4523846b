// Runs bulks against one origin, closed or open, and watches the nodes and the cluster's health meanwhile.
import type { LoadWindow, Spread } from '../overload/load-kinds.ts';
import { type Measured, runLoad } from '../overload/rows.ts';
import type { Cores } from '../support/cores.ts';
import { probeHealth } from './probe-health.ts';
import { type Watched, watchNodes } from './watch-nodes.ts';

export const DEADLINE_MS = 2_000;
export const INDEX = 'places-bench';
/** Large enough that some dozens a second fill a core, so that what is sent costs the load process little. */
export const DOCUMENTS_PER_BULK = 500;

export type Timing = Pick<LoadWindow, 'warmUpMs' | 'measureMs'>;

/** Where a load goes, and whose processor time is told. */
export type LoadTarget = {
  readonly origin: string;
  /** The node that is asked for figures. */
  readonly nodeOrigin: string;
  readonly processes: Readonly<Record<string, { readonly pid: number }>>;
  readonly cores: Cores;
};

export type Watching = Measured & { readonly nodes: Watched; readonly healthMs: Spread };

let seed = 0;

export function closedLoad(target: LoadTarget, concurrency: number, timing: Timing): Promise<Measured> {
  return runLoad(target.processes, { ...common(target, timing), kind: 'closed', concurrency }, target.cores);
}

export async function openLoad(target: LoadTarget, ratePerS: number, timing: Timing): Promise<Watching> {
  const watch = watchNodes(target.nodeOrigin);
  const probe = probeHealth(target.origin);
  const load = { ...common(target, timing), kind: 'open', ratePerS } as const;
  const measured = await runLoad(target.processes, load, target.cores);
  const healthMs = await probe.stop();
  return { ...measured, healthMs, nodes: await watch.stop() };
}

function common({ origin }: LoadTarget, timing: Timing) {
  seed += 1;
  const requests = { kind: 'bulks', index: INDEX, documentsPerBulk: DOCUMENTS_PER_BULK } as const;
  return { origin, requests, deadlineMs: DEADLINE_MS, seed, ...timing };
}
