// All operations of one request for one shard, in the client's order: what is decided upon, sent and answered as one.
import {
  digestOf,
  type IndexMetadata,
  type Operation,
  operationBytes,
  operationWork,
  type ShardFacts,
  type ShardMetadata,
} from '@weir/shared';

/**
 * Most operations in one request to a node. Writing and reading a frame and its answer hold up both event loops, some microseconds an operation;
 * 5,000 keep that near 20 ms.
 */
const PART_OPERATIONS = 5_000;

/** Gathers operations while a request is routed; afterwards it is the gate's view of a shard request. */
export class ShardGroup implements ShardFacts {
  readonly metadata: IndexMetadata;
  readonly shard: number;
  readonly operations: Operation[] = [];
  /** Place of each operation among the items of the request. */
  readonly positions: number[] = [];
  bytes = 0;
  work = 0;
  #digest = 0;

  constructor(metadata: IndexMetadata, shard: number) {
    this.metadata = metadata;
    this.shard = shard;
  }

  add(operation: Operation, position: number): void {
    const { length } = operation.source;
    this.operations.push(operation);
    this.positions.push(position);
    this.bytes += operationBytes(length);
    this.work += operationWork(length);
  }

  get index(): string {
    return this.metadata.name;
  }

  /** Node id of the primary; empty while the shard has none, which no view knows. */
  get primary(): string {
    return this.#table?.primary?.node ?? '';
  }

  get replicas(): readonly string[] {
    return this.#table?.replicas.map((copy) => copy.node) ?? [];
  }

  /** Hashed when it is first asked for. */
  digest(): number {
    if (this.#digest === 0) this.#digest = digestOf(this.operations);
    return this.#digest;
  }

  /** The digest if somebody needed it, else 0. */
  get knownDigest(): number {
    return this.#digest;
  }

  /** The group in consecutive parts of a size that holds up nobody's event loop. */
  parts(): readonly ShardGroup[] {
    if (this.operations.length <= PART_OPERATIONS) return [this];
    const parts: ShardGroup[] = [];
    let part: ShardGroup | undefined;
    this.operations.forEach((operation, place) => {
      if (part === undefined || part.operations.length === PART_OPERATIONS) {
        part = new ShardGroup(this.metadata, this.shard);
        parts.push(part);
      }
      part.add(operation, this.positions[place] ?? 0);
    });
    return parts;
  }

  get #table(): ShardMetadata | undefined {
    return this.metadata.shards[this.shard];
  }
}
