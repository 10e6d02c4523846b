import { describe, expect, it } from '@jest/globals';
import { findConflict, type StoredVersion, versionAfter, type WriteCondition } from './find-conflict.ts';

const STORED: StoredVersion = { version: 5, seqNo: 7, primaryTerm: 2, deleted: false };
const TOMBSTONE: StoredVersion = { ...STORED, deleted: true };

function asked(given: Partial<WriteCondition>): WriteCondition {
  return {
    kind: 'index',
    ifSeqNo: undefined,
    ifPrimaryTerm: undefined,
    version: undefined,
    versionType: 'internal',
    ...given,
  };
}

describe('findConflict', () => {
  it('lets a plain write through, whatever is stored', () => {
    for (const stored of [undefined, STORED, TOMBSTONE])
      expect(findConflict(asked({}), stored)).toBeUndefined();
  });

  it('lets a create through where there is nothing or a tombstone', () => {
    const create = asked({ kind: 'create' });
    expect(findConflict(create, undefined)).toBeUndefined();
    expect(findConflict(create, TOMBSTONE)).toBeUndefined();
    expect(findConflict(create, STORED)).toBe('document already exists (current version [5])');
  });

  it('holds if_seq_no and if_primary_term against the document', () => {
    expect(findConflict(asked({ ifSeqNo: 7, ifPrimaryTerm: 2 }), STORED)).toBeUndefined();
    expect(findConflict(asked({ ifSeqNo: 7, ifPrimaryTerm: 1 }), STORED)).toBe(
      'required seqNo [7], primary term [1]. current document has seqNo [7] and primary term [2]',
    );
    expect(findConflict(asked({ ifSeqNo: 6, ifPrimaryTerm: 2 }), STORED)).toBe(
      'required seqNo [6], primary term [2]. current document has seqNo [7] and primary term [2]',
    );
    for (const stored of [undefined, TOMBSTONE])
      expect(findConflict(asked({ ifSeqNo: 7, ifPrimaryTerm: 2 }), stored)).toBe(
        'required seqNo [7], primary term [2]. but no document was found',
      );
  });

  it('takes only a higher external version, also over a tombstone', () => {
    const external = (version: number): WriteCondition => asked({ version, versionType: 'external' });
    expect(findConflict(external(6), STORED)).toBeUndefined();
    expect(findConflict(external(0), undefined)).toBeUndefined();
    expect(findConflict(external(5), STORED)).toBe(
      'current version [5] is higher or equal to the one provided [5]',
    );
    expect(findConflict(external(4), TOMBSTONE)).toBe(
      'current version [5] is higher or equal to the one provided [4]',
    );
  });

  it('takes an equal version too with external_gte', () => {
    const gte = (version: number): WriteCondition => asked({ version, versionType: 'external_gte' });
    expect(findConflict(gte(5), STORED)).toBeUndefined();
    expect(findConflict(gte(4), STORED)).toBe('current version [5] is higher than the one provided [4]');
    expect(findConflict(gte(4), TOMBSTONE)).toBe('current version [5] is higher than the one provided [4]');
  });

  it('takes only the very version with an internal one', () => {
    expect(findConflict(asked({ version: 5 }), STORED)).toBeUndefined();
    expect(findConflict(asked({ version: 4 }), STORED)).toBe(
      'current version [5] is different than the one provided [4]',
    );
    expect(findConflict(asked({ version: 4 }), undefined)).toBe(
      'current version [-1] is different than the one provided [4]',
    );
  });
});

describe('versionAfter', () => {
  it('counts from what is stored, tombstones too, or takes the external version', () => {
    expect(versionAfter(asked({}), undefined)).toBe(1);
    expect(versionAfter(asked({}), STORED)).toBe(6);
    expect(versionAfter(asked({}), TOMBSTONE)).toBe(6);
    expect(versionAfter(asked({ version: 5 }), STORED)).toBe(6);
    expect(versionAfter(asked({ version: 77, versionType: 'external' }), STORED)).toBe(77);
  });
});
