// Which shard does each action go to? Names are checked, missing indices made, ids given, and operations grouped in the client's order.
import { checkIndexName, type IndexMetadata, type ItemFailure, type Operation, shardOf } from '@weir/shared';
import type { AutoIds } from './auto-id.ts';
import type { BulkAction } from './bulk-action.ts';
import type { BulkDependencies } from './bulk-dependencies.ts';
import { failureItem, failureOf, missingIndex } from './failure-item.ts';
import { ShardGroup } from './shard-group.ts';
import { inSlices } from './slices.ts';

/** Where an action goes: an index, or why it cannot go there. */
type Destination = { readonly groups: (ShardGroup | undefined)[]; readonly metadata: IndexMetadata };

export type Routed = {
  /** Id of each item; null where the client gave none and none was made. */
  readonly ids: readonly (string | null)[];
  /** Items that failed by themselves, by their place. */
  readonly failures: ReadonlyMap<number, ItemFailure>;
  readonly groups: readonly ShardGroup[];
};

type Ports = Pick<BulkDependencies, 'topology' | 'yieldToLoop'>;

export class OperationRouter {
  readonly #ports: Ports;
  readonly #autoIds: AutoIds;
  readonly #destinations = new Map<string, Destination | ItemFailure>();
  readonly #ids: (string | null)[] = [];
  readonly #failures = new Map<number, ItemFailure>();
  readonly #groups: ShardGroup[] = [];

  constructor(ports: Ports, autoIds: AutoIds) {
    this.#ports = ports;
    this.#autoIds = autoIds;
  }

  async route(actions: readonly BulkAction[]): Promise<Routed> {
    await this.#findIndices(actions);
    await inSlices(actions, this.#ports.yieldToLoop, (action, position) => this.#place(action, position));
    return { ids: this.#ids, failures: this.#failures, groups: this.#groups };
  }

  /** Indices that do not exist are made first, all of them, so that the order of a body's items does not matter to it. */
  async #findIndices(actions: readonly BulkAction[]): Promise<void> {
    const missing = new Set<string>();
    await inSlices(actions, this.#ports.yieldToLoop, (action) => {
      const name = indexOf(action);
      if (makesIndex(action) && this.#ports.topology.index(name) === undefined) missing.add(name);
    });
    for (const name of missing) this.#destinations.set(name, await this.#make(name));
  }

  async #make(name: string): Promise<Destination | ItemFailure> {
    try {
      checkIndexName(name);
      return destination(await this.#ports.topology.ensureIndex(name));
    } catch (thrown) {
      return failureOf(thrown);
    }
  }

  #place(action: BulkAction, position: number): void {
    const failure = failureOfAction(action);
    const found = failure ?? this.#destination(indexOf(action));
    if ('error' in found) {
      this.#ids.push(action.id ?? null);
      this.#failures.set(position, found);
      return;
    }
    const id = action.id ?? this.#autoIds.next();
    this.#ids.push(id);
    const shard = shardOf(found.metadata, id, action.routing);
    let group = found.groups[shard];
    if (group === undefined) {
      group = new ShardGroup(found.metadata, shard);
      found.groups[shard] = group;
      this.#groups.push(group);
    }
    group.add(operationOf(action, id), position);
  }

  #destination(name: string): Destination | ItemFailure {
    const known = this.#destinations.get(name);
    if (known !== undefined) return known;
    const metadata = this.#ports.topology.index(name);
    const found = metadata === undefined ? missing(name) : destination(metadata);
    this.#destinations.set(name, found);
    return found;
  }
}

function indexOf(action: BulkAction): string {
  return action.index ?? '';
}

function destination(metadata: IndexMetadata): Destination {
  return { metadata, groups: [] };
}

/** A delete makes no index, unless its version comes from outside and has to be kept. */
function makesIndex(action: BulkAction): boolean {
  if (action.requireAlias) return false;
  return action.kind !== 'delete' || action.conditions.versionType !== 'internal';
}

function missing(name: string): ItemFailure {
  try {
    checkIndexName(name);
  } catch (thrown) {
    return failureOf(thrown);
  }
  return missingIndex(name);
}

/** What is wrong with an action alone; the others of its request go on. */
function failureOfAction(action: BulkAction): ItemFailure | undefined {
  const { id, routing, pipeline } = action;
  if (id === '') return failureItem('illegal_argument', 'if _id is specified it must not be empty');
  if (id?.isWellFormed() === false || routing?.isWellFormed() === false)
    return failureItem(
      'illegal_argument',
      '_id and routing must be valid Unicode, found half of a surrogate pair',
    );
  if (action.requireAlias) {
    const index = indexOf(action);
    return missingIndex(index, ` and [require_alias] request flag is [true] and [${index}] is not an alias`);
  }
  const takesPipeline = action.kind === 'index' || action.kind === 'create';
  if (takesPipeline && pipeline !== undefined && pipeline !== '_none')
    return failureItem(
      'illegal_argument',
      `pipeline with id [${pipeline}] does not exist: pipelines are not supported`,
    );
  return undefined;
}

function operationOf(action: BulkAction, id: string): Operation {
  const { conditions } = action;
  return {
    kind: action.kind,
    id,
    autoId: action.id === undefined,
    routing: action.routing === '' ? undefined : action.routing,
    source: action.source,
    ifSeqNo: conditions.ifSeqNo,
    ifPrimaryTerm: conditions.ifPrimaryTerm,
    version: conditions.version,
    versionType: conditions.versionType,
    retryOnConflict: conditions.retryOnConflict,
    returnSource: action.kind === 'update' && action.fetchSource.wanted,
  };
}
