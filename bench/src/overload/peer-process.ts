// An Express application before the real engine, for comparison: the same update by HTTP, with one control before it. Arguments: options as JSON.
import { type AdmittedShardRequest, openDataDirectory, sqliteEngine } from '@weir/datanode';
import {
  defaultRoutingNumShards,
  type IndexMetadata,
  type Operation,
  type OperationKind,
  systemClock,
  systemRng,
  systemTimers,
} from '@weir/shared';
import express from 'express';
import { LARGE_DOCUMENTS, largeDocument } from './large-documents.ts';
import { CONTROLS } from './peer-controls.ts';

type Options = {
  readonly control: string;
  readonly port: number;
  readonly dataDir: string;
};

const options = JSON.parse(process.argv[2] ?? '') as Options;
const KEEP_ALIVE_MS = 75_000;
const COPY = { index: 'docs', indexUuid: 'docs', shard: 0 };
const METADATA: IndexMetadata = {
  name: 'docs',
  uuid: 'docs',
  created_wall_ms: 0,
  number_of_shards: 1,
  number_of_replicas: 0,
  routing_num_shards: defaultRoutingNumShards(1),
  routing_partition_size: 1,
  settings: {},
  mappings: {},
  shards: [{ primary_term: 1, primary: null, replicas: [], lost: [] }],
};

const directory = openDataDirectory(options.dataDir, systemRng);
const engine = await sqliteEngine({ directory, clock: systemClock, timers: systemTimers });
await engine.openCopy(COPY, METADATA);
const document = Buffer.from(largeDocument());
await Promise.all(
  Array.from({ length: LARGE_DOCUMENTS }, (_, number) => apply('index', `d${number}`, document)),
);

const control = CONTROLS[options.control];
if (control === undefined) throw new Error(`no control ${options.control}`);
const app = express();
app.get('/readyz', (_request, response) => void response.json({ status: 'ready' }));
let limit = 0;
app.put('/limit/:limit', (request, response) => {
  limit = Number(request.params.limit);
  response.json({ limit });
});
app.use(control(() => limit));
app.post('/docs/_update/:id', express.raw({ type: () => true }), async (request, response) => {
  const { results } = await apply('update', request.params.id, request.body as Buffer);
  const [result] = results;
  response.status(result?.status ?? 500).json(result);
});
// As long as Weir's own, so that no row has to open connections anew.
app.listen(options.port, '127.0.0.1').keepAliveTimeout = KEEP_ALIVE_MS;

function apply(kind: OperationKind, id: string, source: Buffer) {
  const operation: Operation = {
    ...{ kind, id, autoId: false, routing: undefined, source },
    ...{ ifSeqNo: undefined, ifPrimaryTerm: undefined, version: undefined, versionType: 'internal' },
    ...{ retryOnConflict: 0, returnSource: false },
  };
  const request = {
    ...{ ...COPY, primaryTerm: 1, operations: [operation], bytes: 0, digest: 0, timeoutMs: 60_000 },
    ...{ waitForActiveShards: 1, refresh: 'false', requestId: '', opaqueId: undefined, traceId: undefined },
  } as const;
  // The controls of this application stand where the guard would.
  return engine.applyPrimary(request as unknown as AdmittedShardRequest);
}
