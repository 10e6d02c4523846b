// Which shard does each action go to? Missing indices are made, ids given, and operations grouped in the client's order.
import {
  checkIndexName,
  ERROR_CODES,
  type IndexMetadata,
  type ItemFailure,
  type Operation,
  shardOf,
  type UnsplitReason,
} from '@weir/shared';
import type { Target } from '../cluster/topology.ts';
import { failureOfAction, failureOfMissing, failureOfTarget, requiresAlias } from './action-failures.ts';
import type { AutoIds } from './auto-id.ts';
import type { BulkAction } from './bulk-action.ts';
import type { BulkDependencies } from './bulk-dependencies.ts';
import { failureOf } from './failure-item.ts';
import { TargetFinder } from './find-targets.ts';
import { ShardGroup } from './shard-group.ts';
import { inSlices } from './slices.ts';
import { UnsplitActions } from './unsplit-actions.ts';

/** The groups of one index, by shard. */
type Destination = { readonly groups: (ShardGroup | undefined)[]; readonly metadata: IndexMetadata };

export type Routed = {
  /** Id of each item; null where the client gave none and none was made. */
  readonly ids: readonly (string | null)[];
  /** Items that failed by themselves, by their place. */
  readonly failures: ReadonlyMap<number, ItemFailure>;
  readonly groups: readonly ShardGroup[];
  /** What cannot be split; undefined where everything can. */
  readonly unsplit: UnsplitActions | undefined;
};

type Ports = Pick<BulkDependencies, 'sendUnsplit' | 'topology' | 'yieldToLoop'>;

export class OperationRouter {
  readonly #ports: Ports;
  readonly #autoIds: AutoIds;
  readonly #targets: TargetFinder;
  /** Indices made for this request, or why one was not. */
  readonly #made = new Map<string, IndexMetadata | ItemFailure>();
  readonly #destinations = new Map<string, Destination>();
  readonly #ids: (string | null)[] = [];
  readonly #failures = new Map<number, ItemFailure>();
  readonly #groups: ShardGroup[] = [];
  #unsplit: UnsplitActions | undefined;

  /** `together`: why the request goes on unsplit as a whole, where it does. */
  constructor(ports: Ports, autoIds: AutoIds, together?: UnsplitReason) {
    this.#ports = ports;
    this.#autoIds = autoIds;
    this.#targets = new TargetFinder(ports.topology, together);
  }

  async route(actions: readonly BulkAction[]): Promise<Routed> {
    await this.#findIndices(actions);
    await inSlices(actions, this.#ports.yieldToLoop, (action, position) => this.#place(action, position));
    return { ids: this.#ids, failures: this.#failures, groups: this.#groups, unsplit: this.#unsplit };
  }

  /** Indices that do not exist are made first, all of them, so that the order of a body's items does not matter to it. */
  async #findIndices(actions: readonly BulkAction[]): Promise<void> {
    const missing = new Set<string>();
    await inSlices(actions, this.#ports.yieldToLoop, (action) => {
      const { kind } = this.#targets.look(action);
      if (kind === 'missing' && makesIndex(action)) missing.add(indexOf(action));
    });
    let away: ItemFailure | undefined;
    for (const name of missing) {
      const made = away ?? (await this.#make(name));
      // A bus that is away is asked once: at its time limit for each name a request of many names would never end.
      if ('error' in made && made.status === ERROR_CODES.unavailable.status) away = made;
      this.#made.set(name, made);
    }
  }

  async #make(name: string): Promise<IndexMetadata | ItemFailure> {
    try {
      checkIndexName(name);
      return await this.#ports.topology.ensureIndex(name);
    } catch (thrown) {
      return failureOf(thrown);
    }
  }

  #place(action: BulkAction, position: number): void {
    const target = this.#targets.of(action);
    const failure = failureOfAction(action) ?? failureOfTarget(action, target);
    if (failure !== undefined) this.#fail(action, position, failure);
    else if (target.kind === 'unsplit') this.#keepWhole(action, position, target);
    else this.#placeIn(action, position, target);
  }

  #placeIn(action: BulkAction, position: number, target: Exclude<Target, { kind: 'unsplit' }>): void {
    const found = target.kind === 'index' ? target.metadata : this.#missing(indexOf(action));
    if ('error' in found) this.#fail(action, position, found);
    else this.#group(action, position, found, target);
  }

  #missing(name: string): IndexMetadata | ItemFailure {
    return this.#made.get(name) ?? failureOfMissing(name);
  }

  #group(action: BulkAction, position: number, metadata: IndexMetadata, target: Target): void {
    const id = action.id ?? this.#autoIds.next();
    const routing = target.kind === 'index' ? target.routing : action.routing;
    const shard = shardOf(metadata, id, routing);
    if (this.#ports.sendUnsplit !== undefined && metadata.shards[shard]?.primary === null) {
      this.#keepWhole(action, position, { kind: 'unsplit', reason: 'no_primary', likely: metadata });
      return;
    }
    this.#ids.push(id);
    const { groups } = this.#destination(metadata);
    let group = groups[shard];
    if (group === undefined) {
      group = new ShardGroup(metadata, shard);
      groups[shard] = group;
      this.#groups.push(group);
    }
    const throughAlias = target.kind === 'index' && target.throughAlias;
    group.add(operationOf(action, id, throughAlias), position);
  }

  #destination(metadata: IndexMetadata): Destination {
    let destination = this.#destinations.get(metadata.name);
    if (destination === undefined) {
      destination = { metadata, groups: [] };
      this.#destinations.set(metadata.name, destination);
    }
    return destination;
  }

  #keepWhole(action: BulkAction, position: number, target: Extract<Target, { kind: 'unsplit' }>): void {
    this.#ids.push(action.id ?? null);
    this.#unsplit ??= new UnsplitActions();
    this.#unsplit.add(action, position, target.reason, target.likely);
  }

  #fail(action: BulkAction, position: number, failure: ItemFailure): void {
    this.#ids.push(action.id ?? null);
    this.#failures.set(position, failure);
  }
}

function indexOf(action: BulkAction): string {
  return action.index ?? '';
}

/** A delete makes no index, unless its version comes from outside and has to be kept. */
function makesIndex(action: BulkAction): boolean {
  if (requiresAlias(action)) return false;
  return action.kind !== 'delete' || action.conditions.versionType !== 'internal';
}

/** An alias and the routing given with it stay as they are: where they lead now is looked up once more where they arrive. */
function operationOf(action: BulkAction, id: string, throughAlias: boolean): Operation {
  const { conditions, routing } = action;
  const alias = throughAlias ? { alias: indexOf(action), requireAlias: action.requireAlias } : undefined;
  return {
    ...alias,
    kind: action.kind,
    id,
    autoId: action.id === undefined,
    routing: routing === '' ? undefined : routing,
    source: action.source,
    ifSeqNo: conditions.ifSeqNo,
    ifPrimaryTerm: conditions.ifPrimaryTerm,
    version: conditions.version,
    versionType: conditions.versionType,
    retryOnConflict: conditions.retryOnConflict,
    returnSource: action.kind === 'update' && action.fetchSource.wanted,
  };
}
