// A coordinator's data path over HTTP for tests: real routes and view, data nodes behind the client port, indices as given.
import {
  ClusterView,
  createMetrics,
  type DecisionContext,
  type EffectiveSettings,
  type HttpClient,
  IndexingPressure,
  type IndexMetadata,
  type Listening,
  serve,
  systemClock,
  systemTimers,
  systemYield,
  UNKNOWN_STRESS,
  type Verdict,
  type WeirError,
} from '@weir/shared';
import { DEFAULT_SETTINGS, seededRng } from '@weir/shared/testing';
import { coordinatorApp } from '../app.ts';
import type { BulkDependencies } from '../bulk/bulk-dependencies.ts';
import { bulkRoutes } from '../bulk/bulk-routes.ts';
import { callPrimaryBy, DATA_NODE_FORM } from '../bulk/call-primary.ts';
import { type Addressed, resolvePlain, type Target, type Topology } from '../cluster/topology.ts';
import { documentWriteRoutes } from '../documents/document-write-routes.ts';
import { FakeDataNodes } from './fake-data-nodes.ts';
import { sampleIndex } from './sample-index.ts';

/** An index of which shard `n` has its copies on the nodes of `tables[n]`, the primary first. */
export function indexOn(name: string, ...tables: readonly (readonly string[])[]): IndexMetadata {
  const base = sampleIndex(name, { shards: tables.length });
  const shards = tables.map((nodes) => {
    const [primary = null, ...replicas] = nodes.map((node) => ({ node, allocation_id: `${name}-${node}` }));
    return { primary_term: 1, primary, replicas, lost: [] };
  });
  return { ...base, number_of_replicas: Math.max(0, (tables[0]?.length ?? 1) - 1), shards };
}

/** C029 and others: shard 0 P dn1 R dn2, shard 1 P dn2 R dn3, shard 2 P dn3 R dn1. */
export const LOGS_A = {
  ...indexOn('logs-a', ['dn1', 'dn2'], ['dn2', 'dn3'], ['dn3', 'dn1']),
  routing_num_shards: 768,
};

class FakeTopology implements Topology {
  readonly known = new Map<string, IndexMetadata>();
  refreshes = 0;
  /** Where nodes are, by id; `http://<id>` unless a test says otherwise. */
  readonly addresses = new Map<string, string>();
  /** Makes an index that is written to for the first time; throws where a test wants no auto-creation. */
  make: (name: string) => IndexMetadata = (name) => indexOn(name, ['dn1', 'dn2']);

  constructor(indices: readonly IndexMetadata[]) {
    for (const index of indices) this.known.set(index.name, index);
  }

  /** Where an action goes; a test may say otherwise. */
  resolve: (action: Addressed) => Target = (action) => resolvePlain(this.index(action.index), action);

  index(name: string): IndexMetadata | undefined {
    return this.known.get(name);
  }

  indices(): readonly IndexMetadata[] {
    return [...this.known.values()];
  }

  async ensureIndex(name: string): Promise<IndexMetadata> {
    const index = this.known.get(name) ?? this.make(name);
    this.known.set(name, index);
    return index;
  }

  node(id: string) {
    return /^dn\d$/.test(id)
      ? { id, name: id, address: this.addresses.get(id) ?? `http://${id}` }
      : undefined;
  }

  nodes() {
    return [];
  }

  refreshSoon(): void {
    this.refreshes += 1;
  }
}

export type DataPath = Awaited<ReturnType<typeof startDataPath>>;

/** Starts it on a free port. `change` replaces dependencies. */
export async function startDataPath(
  options: {
    readonly indices?: readonly IndexMetadata[];
    readonly settings?: Partial<EffectiveSettings>;
    readonly limitBytes?: number;
    /** Instead of the fake data nodes. */
    readonly http?: HttpClient;
    readonly change?: Partial<BulkDependencies>;
  } = {},
) {
  let settings = { ...DEFAULT_SETTINGS, ...options.settings };
  const limitBytes = options.limitBytes ?? 100 * 1024 * 1024;
  const topology = new FakeTopology(options.indices ?? [LOGS_A]);
  const nodes = new FakeDataNodes();
  const view = new ClusterView(() => settings);
  const pressure = new IndexingPressure(() => ({ primary: limitBytes, replica: limitBytes * 1.5 }));
  const decisions: { readonly verdict: Verdict; readonly context: DecisionContext }[] = [];
  const metrics = createMetrics({ service: 'coordinator', version: '0', startedWallMs: 0 });
  const reported: WeirError[] = [];
  const deps: BulkDependencies = {
    name: 'c1',
    settings: () => settings,
    topology,
    view,
    ownStress: () => UNKNOWN_STRESS,
    salt: 1,
    callPrimary: callPrimaryBy(DATA_NODE_FORM, options.http ?? nodes, () => ({
      'x-weir-cluster-secret': 's',
    })),
    whoReports: (copies) => copies,
    pressure,
    recorder: {
      record(verdict, context) {
        decisions.push({ verdict, context });
        return verdict.kind === 'admit' ? '' : `decision-${decisions.length}`;
      },
    },
    metrics,
    timeouts: { clientMs: 60_000, coordinatorMs: 55_000 },
    clock: systemClock,
    timers: systemTimers,
    rng: seededRng(1),
    yieldToLoop: systemYield,
    ...options.change,
  };
  const app = coordinatorApp({
    routes: [...bulkRoutes(deps), ...documentWriteRoutes(deps)],
    elasticCompat: false,
    report: (error) => reported.push(error),
  });
  const listening: Listening = await serve(app, {
    host: '127.0.0.1',
    port: 0,
    continueUpToBytes: () => settings.bulk.maxBodyBytes,
  });
  return {
    ...listening,
    app,
    deps,
    topology,
    nodes,
    view,
    pressure,
    decisions,
    metrics,
    reported,
    set(change: Partial<EffectiveSettings>): void {
      settings = { ...settings, ...change };
    },
    /** The view takes in a sample of a node, as if it had just arrived. */
    hear(stats: Parameters<ClusterView['apply']>[0]): void {
      view.apply(stats, systemClock.nowMs());
    },
    async bulk(path: string, body: string | Buffer, headers: Record<string, string> = {}) {
      return ask(listening.origin + path, 'POST', body, headers);
    },
    async ask(method: string, path: string, body?: string, headers: Record<string, string> = {}) {
      return ask(listening.origin + path, method, body, { 'content-type': 'application/json', ...headers });
    },
  };
}

async function ask(
  url: string,
  method: string,
  body: string | Buffer | undefined,
  headers: Record<string, string>,
) {
  const response = await fetch(url, {
    method,
    headers: { 'content-type': 'application/x-ndjson', ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : new Uint8Array(body) }),
  });
  const text = await response.text();
  const parsed: unknown = text === '' ? undefined : JSON.parse(text);
  return { status: response.status, headers: response.headers, text, body: parsed, items: itemsOf(parsed) };
}

type AnsweredItem = {
  readonly action: string;
  readonly _index: string;
  readonly _id: string | null;
  readonly status: number;
  readonly result?: string;
  readonly error?: {
    readonly type: string;
    readonly reason: string;
    readonly weir?: Readonly<Record<string, string | number>>;
  };
};

/** The items of a bulk's answer with their actions' names; none for any other answer. */
function itemsOf(body: unknown): readonly AnsweredItem[] {
  if (typeof body !== 'object' || body === null || !('items' in body)) return [];
  const items = body.items as readonly Readonly<Record<string, Omit<AnsweredItem, 'action'>>>[];
  return items.flatMap((item) => Object.entries(item).map(([action, inside]) => ({ action, ...inside })));
}
