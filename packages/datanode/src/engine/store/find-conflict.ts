// Do the versions let this write through? OpenSearch's rules for if_seq_no, create, internal and external versions, in its words.
import type { Operation } from '@weir/shared';

/** What is stored under an id; a tombstone is `deleted`. */
export type StoredVersion = {
  readonly version: number;
  readonly seqNo: number;
  readonly primaryTerm: number;
  readonly deleted: boolean;
};

export type WriteCondition = Pick<
  Operation,
  'kind' | 'ifSeqNo' | 'ifPrimaryTerm' | 'version' | 'versionType'
>;

/** OpenSearch's number for a document that is not there. */
const NOT_FOUND = -1;

/** Why the write must not happen; undefined when it may. */
export function findConflict(asked: WriteCondition, stored: StoredVersion | undefined): string | undefined {
  if (asked.ifSeqNo !== undefined) {
    const conflict = findSequenceConflict(asked, stored);
    if (conflict !== undefined) return conflict;
  }
  if (asked.kind === 'create' && stored !== undefined && !stored.deleted)
    return `document already exists (current version [${stored.version}])`;
  return asked.version === undefined ? undefined : findVersionConflict(asked, asked.version, stored);
}

/** Version that the document has after the write. */
export function versionAfter(asked: WriteCondition, stored: StoredVersion | undefined): number {
  if (asked.versionType !== 'internal' && asked.version !== undefined) return asked.version;
  return (stored?.version ?? 0) + 1;
}

function findSequenceConflict(asked: WriteCondition, stored: StoredVersion | undefined): string | undefined {
  const required = `required seqNo [${asked.ifSeqNo}], primary term [${asked.ifPrimaryTerm}].`;
  if (stored === undefined || stored.deleted) return `${required} but no document was found`;
  if (stored.seqNo === asked.ifSeqNo && stored.primaryTerm === asked.ifPrimaryTerm) return undefined;
  return `${required} current document has seqNo [${stored.seqNo}] and primary term [${stored.primaryTerm}]`;
}

/** External versions are held against tombstones too: a late write must not bring back what was deleted after it. */
function findVersionConflict(
  asked: WriteCondition,
  provided: number,
  stored: StoredVersion | undefined,
): string | undefined {
  const current = stored?.version ?? NOT_FOUND;
  switch (asked.versionType) {
    case 'internal':
      return current === provided
        ? undefined
        : `current version [${current}] is different than the one provided [${provided}]`;
    case 'external':
      return current < provided || stored === undefined
        ? undefined
        : `current version [${current}] is higher or equal to the one provided [${provided}]`;
    case 'external_gte':
      return current <= provided || stored === undefined
        ? undefined
        : `current version [${current}] is higher than the one provided [${provided}]`;
  }
}
