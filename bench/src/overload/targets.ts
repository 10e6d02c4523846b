// What the load of the overload benchmark is sent to: a Weir cluster of one data node, or an Express application before the same engine.
import { join } from 'node:path';
import { type Child, startChild } from '../support/child.ts';
import type { Cores } from '../support/cores.ts';
import { mustBulk, mustCall, putSettings } from '../support/rest.ts';
import { freePorts, untilReady } from '../support/service-processes.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { startWeir } from '../support/weir-processes.ts';
import { LARGE_DOCUMENTS, largeDocument } from './large-documents.ts';

export type Target = {
  readonly origin: string;
  /** Processes by the name they are reported under. */
  readonly processes: Readonly<Record<string, Child>>;
  /** Ends it at once, with whatever still waits there. */
  kill(): Promise<void>;
};

export type WeirTarget = Target & { admission(mode: 'enforced' | 'disabled'): Promise<void> };

export type PeerTarget = Target & {
  /** The figure that the control is set to, where it takes one. */
  setLimit(limit: number): Promise<void>;
};

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
  const bulks = Array.from({ length: LARGE_DOCUMENTS / SEED_AT_ONCE }, (_, number) =>
    Array.from({ length: SEED_AT_ONCE }, (_, at) => `d${number * SEED_AT_ONCE + at}`),
  );
  await Promise.all(
    bulks.map((ids) =>
      mustBulk(
        `${origin}/docs/_bulk`,
        ids.flatMap((id) => [`{"index":{"_id":"${id}"}}`, document]),
      ),
    ),
  );
  const [dataNode] = dataNodes;
  if (dataNode === undefined) throw new Error('no data node');
  return {
    origin,
    processes: { 'data node': dataNode, coordinator, redis },
    admission: (mode) => putSettings(origin, { 'weir.admission.mode': mode }),
    kill: () => weir.stop('kill'),
  };
}

/** An Express application with one of the controls of peer-controls.ts. */
export async function peerTarget(control: string, { own }: Cores): Promise<PeerTarget> {
  const { path: directory, remove } = temporaryDirectory();
  const [port = 0] = await freePorts(1);
  const file = new URL('./peer-process.js', import.meta.url).pathname;
  const options = JSON.stringify({ control, port, dataDir: join(directory, 'data') });
  const child = startChild(`express with ${control}`, [process.execPath, file, options], {
    cpus: own,
    logFile: join(directory, 'peer.log'),
  });
  await untilReady(child, port);
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    processes: { application: child },
    async setLimit(limit) {
      await mustCall('PUT', `${origin}/limit/${limit}`);
    },
    async kill() {
      await child.stop('SIGKILL');
      remove();
    },
  };
}
