// Does this node hold the copy a request is for, in the role and the term the sender believes in? Asked before anything is decided or done.
import { type Clock, type IndexMetadata, type ShardMetadata, type Timers, WeirError } from '@weir/shared';
import { byThen } from './deadline.ts';

/** What the data path asks of the cluster's metadata. */
export interface ShardTable {
  /** Metadata of an index by name, from memory. */
  get(name: string): IndexMetadata | undefined;
  /** Reads the metadata anew at once; rejects when the bus cannot be reached. */
  refresh(): Promise<void>;
}

/** What it takes to look for a copy at this node. */
export type FindPorts = {
  readonly table: ShardTable;
  /** Stable id of this node. */
  readonly nodeId: string;
  readonly clock: Clock;
  readonly timers: Timers;
};

export type CopyTarget = { readonly index: string; readonly indexUuid: string; readonly shard: number };
export type TermTarget = CopyTarget & { readonly primaryTerm: number };

/** Why the shard's copy here cannot serve, or undefined where it can. */
type Fault = (shard: ShardMetadata) => WeirError | undefined;

/** Metadata of the index whose primary this node holds. Throws `index_not_found` or `no_shard_available` where the newest metadata says otherwise. */
export function findPrimary(
  target: TermTarget,
  deadlineMs: number,
  ports: FindPorts,
): Promise<IndexMetadata> {
  return find(target, deadlineMs, ports, (shard) => noPrimary(shard, target, ports.nodeId));
}

/** The same once more, after the write: throws where another node has become primary meanwhile. */
export function stillPrimary(target: TermTarget, table: ShardTable, nodeId: string): IndexMetadata {
  const found = look(target, table, (shard) => noPrimary(shard, target, nodeId));
  if (found instanceof WeirError) throw found;
  return found;
}

/** The same for a replica's part; a primary of an older term is told `version_conflict`, so that it learns that it is one. */
export function findReplica(
  target: TermTarget,
  deadlineMs: number,
  ports: FindPorts,
): Promise<IndexMetadata> {
  const { nodeId } = ports;
  return find(target, deadlineMs, ports, (shard) => {
    if (target.primaryTerm < shard.primary_term)
      return new WeirError(
        'version_conflict',
        `[${target.index}][${target.shard}]: primary term [${target.primaryTerm}] is older than the current one [${shard.primary_term}]`,
      );
    if (target.primaryTerm === shard.primary_term && isReplica(shard, nodeId)) return undefined;
    return absent(target, `node [${nodeId}] holds no in-sync replica of it in term [${target.primaryTerm}]`);
  });
}

/** The same for a read, which any copy in sync may serve. */
export function findReadable(
  target: CopyTarget,
  deadlineMs: number,
  ports: FindPorts,
): Promise<IndexMetadata> {
  const { nodeId } = ports;
  return find(target, deadlineMs, ports, (shard) => {
    if (shard.primary?.node === nodeId || isReplica(shard, nodeId)) return undefined;
    return absent(target, `node [${nodeId}] holds no copy of it that is in sync`);
  });
}

/** What is known may be old: before a request is turned away the metadata is read anew, once, and within the request's time. */
async function find(
  target: CopyTarget,
  deadlineMs: number,
  ports: FindPorts,
  fault: Fault,
): Promise<IndexMetadata> {
  const { table } = ports;
  const known = look(target, table, fault);
  if (!(known instanceof WeirError)) return known;
  if (known.code === 'version_conflict') throw known;
  // A bus that is away or slow leaves what is known as the best there is.
  const refreshed = table.refresh().catch(() => undefined);
  await byThen(refreshed, deadlineMs, ports, () => undefined);
  const found = look(target, table, fault);
  if (found instanceof WeirError) throw found;
  return found;
}

function look(target: CopyTarget, table: ShardTable, fault: Fault): IndexMetadata | WeirError {
  const metadata = table.get(target.index);
  if (metadata?.uuid !== target.indexUuid)
    return new WeirError('index_not_found', `no such index [${target.index}]`, {
      fields: { index: target.index, index_uuid: target.indexUuid },
    });
  const shard = metadata.shards[target.shard];
  if (shard === undefined) return absent(target, `the index has ${metadata.shards.length} shards`);
  return fault(shard) ?? metadata;
}

function noPrimary(shard: ShardMetadata, target: TermTarget, nodeId: string): WeirError | undefined {
  if (shard.primary?.node === nodeId && target.primaryTerm === shard.primary_term) return undefined;
  return absent(target, `node [${nodeId}] is not its primary in term [${target.primaryTerm}]`);
}

function isReplica(shard: ShardMetadata, nodeId: string): boolean {
  return shard.replicas.some((copy) => copy.node === nodeId);
}

function absent({ index, shard }: CopyTarget, why: string): WeirError {
  return new WeirError('no_shard_available', `[${index}][${shard}]: ${why}`);
}
