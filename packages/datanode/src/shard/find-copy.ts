// Does this node hold the copy a request is for, in the role and the term the sender believes in? Asked before anything is decided or done.
import { type IndexMetadata, type ShardMetadata, WeirError } from '@weir/shared';

/** What the data path asks of the cluster's metadata; answers from memory. */
export interface ShardTable {
  byUuid(indexUuid: string): IndexMetadata | undefined;
  /** Reads the metadata anew at once; rejects when the bus does not answer in its time limit. */
  reread(): Promise<void>;
}

export type ShardTarget = {
  readonly index: string;
  readonly indexUuid: string;
  readonly shard: number;
  readonly primaryTerm: number;
};

type Holds = (shard: ShardMetadata, target: ShardTarget) => WeirError | undefined;

/** Metadata of the index whose primary this is. Throws `index_not_found` or `no_shard_available` where the sender's picture and the newest metadata differ. */
export function findPrimary(target: ShardTarget, table: ShardTable, nodeId: string): Promise<IndexMetadata> {
  return find(target, table, (shard) => noPrimary(shard, target, nodeId));
}

/** The metadata once more, after the write: throws where another node has become primary meanwhile. */
export function stillPrimary(target: ShardTarget, table: ShardTable, nodeId: string): IndexMetadata {
  const found = look(target, table, (shard) => noPrimary(shard, target, nodeId));
  if (found instanceof WeirError) throw found;
  return found;
}

/** The same for a replica's part; a primary of an older term is told `version_conflict`, so that it learns that it is one. */
export function findReplica(target: ShardTarget, table: ShardTable, nodeId: string): Promise<IndexMetadata> {
  return find(target, table, (shard) => {
    if (target.primaryTerm < shard.primary_term) return staleTerm(target, shard);
    if (!shard.replicas.some((copy) => copy.node === nodeId) || target.primaryTerm > shard.primary_term)
      return absent(
        target,
        `node [${nodeId}] holds no in-sync replica of it in term [${target.primaryTerm}]`,
      );
    return undefined;
  });
}

/** What is known may be old: before a request is turned away the metadata is read anew, once. */
async function find(target: ShardTarget, table: ShardTable, holds: Holds): Promise<IndexMetadata> {
  const known = look(target, table, holds);
  if (!(known instanceof WeirError)) return known;
  if (known.code === 'version_conflict') throw known;
  try {
    await table.reread();
  } catch (cause) {
    throw new WeirError(known.code, known.message, { cause });
  }
  const found = look(target, table, holds);
  if (found instanceof WeirError) throw found;
  return found;
}

function look(target: ShardTarget, table: ShardTable, holds: Holds): IndexMetadata | WeirError {
  const metadata = table.byUuid(target.indexUuid);
  if (metadata === undefined)
    return new WeirError('index_not_found', `no such index [${target.index}]`, {
      fields: { index_uuid: target.indexUuid },
    });
  const shard = metadata.shards[target.shard];
  if (shard === undefined) return absent(target, `the index has ${metadata.shards.length} shards`);
  return holds(shard, target) ?? metadata;
}

function noPrimary(shard: ShardMetadata, target: ShardTarget, nodeId: string): WeirError | undefined {
  if (shard.primary?.node === nodeId && target.primaryTerm === shard.primary_term) return undefined;
  return absent(target, `node [${nodeId}] is not its primary in term [${target.primaryTerm}]`);
}

function absent({ index, shard }: ShardTarget, why: string): WeirError {
  return new WeirError('no_shard_available', `[${index}][${shard}]: ${why}`);
}

function staleTerm({ index, shard, primaryTerm }: ShardTarget, { primary_term }: ShardMetadata): WeirError {
  return new WeirError(
    'version_conflict',
    `[${index}][${shard}]: primary term [${primaryTerm}] is older than the current one [${primary_term}]`,
  );
}
