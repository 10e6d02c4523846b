// Data nodes in this process on one in-process bus, with the real engine, spoken to over HTTP as a coordinator would.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DataNode, loadDataNodeConfig, startDataNode } from '@weir/datanode';
import {
  type Bus,
  systemClock as clock,
  encodeShardRequest,
  type GetAnswer,
  type HttpClient,
  INTERNAL_PATHS,
  type IndexMetadata,
  InProcessBus,
  MetadataStore,
  newIndex,
  type Operation,
  operationBytes,
  parseShardAnswer,
  systemRng as rng,
  SettingsStore,
  type ShardAnswer,
  type ShardRequest,
  systemTimers as timers,
  undiciClient,
} from '@weir/shared';
import { eventually } from './eventually.ts';

export { limitZero } from './limit-zero.ts';

const silent = { info: () => {}, warn: () => {} };

type Json = Readonly<Record<string, unknown>>;

type NodeGiven = {
  readonly bus?: Bus;
  readonly argv?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
};

export type Cluster = {
  readonly bus: Bus;
  readonly metadata: MetadataStore;
  readonly settings: SettingsStore;
  readonly http: HttpClient;
  /** By name: dn1, dn2, … */
  node(name: string): DataNode;
  nodeOf(id: string | undefined): DataNode;
  /** Starts a node, anew under a name that was stopped: its data are kept. */
  startNode(name: string, given?: NodeGiven): Promise<DataNode>;
  /** Node of the primary and of the first replica of shard 0. */
  copiesOf(index: IndexMetadata): { readonly primary: DataNode; readonly replica: DataNode };
  createIndex(name: string, settings?: Readonly<Record<string, number>>): Promise<IndexMetadata>;
  /** An index of one shard with its copies on these nodes, the primary's first. */
  placeIndex(name: string, nodes: readonly string[]): Promise<IndexMetadata>;
  set(settings: Readonly<Record<string, unknown>>): Promise<void>;
  stop(): Promise<void>;
};

/** Starts nodes dn1 … dn<count> that know each other. */
export async function startCluster(count: number, bus: Bus = new InProcessBus(rng)): Promise<Cluster> {
  const directory = await mkdtemp(join(tmpdir(), 'weir-data-nodes-'));
  const followed = { bus, clock, timers, rng, log: silent };
  const metadata = new MetadataStore(followed);
  const settings = new SettingsStore(followed);
  await Promise.all([metadata.start(), settings.start()]);
  const http = undiciClient();
  const nodes = new Map<string, DataNode>();

  const cluster: Cluster = {
    ...{ bus, metadata, settings, http },
    node(name) {
      const node = nodes.get(name);
      if (node === undefined) throw new Error(`no node ${name}`);
      return node;
    },
    nodeOf(id) {
      const node = [...nodes.values()].find((candidate) => candidate.id === id);
      if (node === undefined) throw new Error(`no node ${id}`);
      return node;
    },
    copiesOf({ shards: [shard] }) {
      return {
        primary: cluster.nodeOf(shard?.primary?.node),
        replica: cluster.nodeOf(shard?.replicas[0]?.node),
      };
    },
    async startNode(name, given = {}) {
      const fixed = ['--http-port', '0', '--node-name', name, '--data-dir', join(directory, name)];
      const loaded = loadDataNodeConfig({ argv: [...fixed, ...(given.argv ?? [])], env: given.env ?? {} });
      if (loaded.kind !== 'run') throw new Error('not a configuration to run');
      const node = await startDataNode({ config: loaded.config, bus: given.bus ?? bus, logger: silent });
      nodes.set(name, node);
      await eventually(async () => (await bus.readSnapshot('nodes')).has(node.id));
      return node;
    },
    async createIndex(name, given = {}) {
      const body = { settings: { index: given } };
      const nodeIds = [...nodes.values()].map(({ id }) => id);
      return metadata.create(newIndex(name, body, { nodeIds, indices: metadata.all(), clock, rng }));
    },
    async placeIndex(name, [primary = '', ...replicas]) {
      const body = { settings: { index: { number_of_replicas: replicas.length } } };
      const index = newIndex(name, body, { nodeIds: [], indices: [], clock, rng });
      const copy = (on: string) => ({
        node: cluster.node(on).id,
        allocation_id: rng.bytes(8).toString('hex'),
      });
      const shard = { primary_term: 1, primary: copy(primary), replicas: replicas.map(copy), lost: [] };
      return metadata.create({ ...index, shards: [shard] });
    },
    async set(given) {
      await settings.change({ persistent: given }, { author: 'test' });
    },
    async stop() {
      await Promise.all([...nodes.values()].map((node) => node.stop(1_000)));
      await Promise.all([metadata.close(), settings.close(), http.close()]);
      await bus.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
  for (let number = 1; number <= count; number += 1) await cluster.startNode(`dn${number}`);
  return cluster;
}

/** `admission_control` of a node. */
export async function rejectionsAt(cluster: Cluster, node: DataNode, signal: string): Promise<Json> {
  const { body } = await askJson(cluster, node, '/_nodes/_local/stats/admission_control');
  const stats = body as { nodes: Record<string, { admission_control: Record<string, { transport: Json }> }> };
  return stats.nodes[node.id]?.admission_control[`global_${signal}_usage`]?.transport ?? {};
}

/** An index operation with an id of the client's. */
export function indexOperation(id: string, source: unknown = { id }): Operation {
  return {
    ...{ kind: 'index', id, autoId: false, routing: undefined, source: Buffer.from(JSON.stringify(source)) },
    ...{ ifSeqNo: undefined, ifPrimaryTerm: undefined, version: undefined, versionType: 'internal' },
    ...{ retryOnConflict: 0, returnSource: false },
  };
}

/** Operations for shard 0 of an index, as a coordinator would send them. */
export function shardRequestFor(
  index: IndexMetadata,
  operations: readonly Operation[],
  given: Partial<ShardRequest> = {},
): ShardRequest {
  return {
    ...{ index: index.name, indexUuid: index.uuid, shard: 0, operations, digest: 0, timeoutMs: 10_000 },
    primaryTerm: index.shards[0]?.primary_term ?? 0,
    bytes: operations.reduce((sum, { source }) => sum + operationBytes(source.length), 0),
    ...{ waitForActiveShards: 1, refresh: 'false', requestId: 'r1', opaqueId: undefined, traceId: undefined },
    ...given,
  };
}

type Caller = Pick<Cluster, 'http'>;
type Reached = Pick<DataNode, 'origin'>;

/** Sends a shard request to a node. */
export async function write(caller: Caller, node: Reached, request: ShardRequest): Promise<ShardAnswer> {
  const { body } = await caller.http.call({
    origin: node.origin,
    path: INTERNAL_PATHS.primary,
    method: 'POST',
    body: encodeShardRequest(request),
    timeoutMs: 30_000,
  });
  const answer = parseShardAnswer(body);
  if (answer === undefined) throw new Error(`no answer: ${body}`);
  return answer;
}

/** Asks a node for something in JSON. */
export async function askJson(
  caller: Caller,
  node: Reached,
  path: string,
  body?: unknown,
): Promise<{ readonly status: number; readonly body: Record<string, unknown> }> {
  const method = body === undefined ? 'GET' : 'POST';
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await caller.http.call({ origin: node.origin, path, method, ...sent, timeoutMs: 10_000 });
  return { status: answer.status, body: JSON.parse(answer.body.toString()) };
}

/** Sources of documents as one node has them; null for none. */
export async function sourcesAt(
  caller: Caller,
  node: Reached,
  index: IndexMetadata,
  ids: readonly string[],
): Promise<readonly (string | null)[]> {
  const asked = { index: index.name, index_uuid: index.uuid, shard: 0, ids };
  const { body } = await askJson(caller, node, INTERNAL_PATHS.get, asked);
  return (body as GetAnswer).documents.map((document) => document?.source ?? null);
}
