// What the load of the overload benchmark is sent to: a Weir cluster of one data node, or an Express application before the same engine.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Child, startChild } from '../support/child.ts';
import { mustBulk, mustCall, putSettings } from '../support/rest.ts';
import { freePorts, startWeir, untilReady } from '../support/weir-processes.ts';
import { LARGE_DOCUMENTS, largeDocument } from './large-documents.ts';

/** The data node or application has a core of its own, everything else shares the other ones. */
export type Cores = { readonly own: readonly number[]; readonly others: readonly number[] };

export type Target = {
  readonly origin: string;
  /** Processes by the name they are reported under. */
  readonly processes: Readonly<Record<string, Child>>;
  /** Ends it at once, with whatever still waits there. */
  kill(): Promise<void>;
};

export type WeirTarget = Target & { admission(mode: 'enforced' | 'disabled'): Promise<void> };

const SEED_AT_ONCE = 10;

/** One coordinator, one data node, one shard without replicas, holding the documents. */
export async function weirTarget({ own, others }: Cores): Promise<WeirTarget> {
  const weir = await startWeir({ dataNodes: 1, dataNodeCpus: own, otherCpus: others });
  const { origin, coordinator, dataNodes, redis } = weir;
  // Until a row asks for something else.
  await putSettings(origin, { 'weir.admission.mode': 'disabled' });
  await mustCall('PUT', `${origin}/docs`, {
    settings: { index: { number_of_shards: 1, number_of_replicas: 0 } },
  });
  const document = largeDocument();
  for (let from = 0; from < LARGE_DOCUMENTS; from += SEED_AT_ONCE) {
    const ids = Array.from({ length: SEED_AT_ONCE }, (_, at) => `d${from + at}`);
    await mustBulk(
      `${origin}/docs/_bulk`,
      ids.flatMap((id) => [`{"index":{"_id":"${id}"}}`, document]),
    );
  }
  const [dataNode] = dataNodes;
  if (dataNode === undefined) throw new Error('no data node');
  return {
    origin,
    processes: { 'data node': dataNode, coordinator, redis },
    admission: (mode) => putSettings(origin, { 'weir.admission.mode': mode }),
    kill: () => weir.stop('kill'),
  };
}

/** An Express application with one of the controls of peer-controls.ts. `limit` is what that control is set to, where it takes a figure. */
export async function peerTarget(control: string, limit: number, { own }: Cores): Promise<Target> {
  const directory = mkdtempSync(join(tmpdir(), 'weir-bench-'));
  const [port = 0] = await freePorts(1);
  const file = new URL('./peer-process.js', import.meta.url).pathname;
  const options = JSON.stringify({ control, limit, port, dataDir: join(directory, 'data') });
  const child = startChild(`express with ${control}`, [process.execPath, file, options], {
    cpus: own,
    logFile: join(directory, 'peer.log'),
  });
  await untilReady(child, port);
  return {
    origin: `http://127.0.0.1:${port}`,
    processes: { application: child },
    async kill() {
      await child.stop('SIGKILL');
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
