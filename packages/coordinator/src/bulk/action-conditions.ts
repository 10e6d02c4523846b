// What do the uncommon members of an action demand: versions, sequence numbers, an operation type, an alias?
import type { OperationKind, VersionType } from '@weir/shared';
import type { ActionMembers, MemberKey } from './action-members.ts';
import { type Conditions, NO_CONDITIONS } from './bulk-action.ts';
import { type LineCursor, shown } from './line-cursor.ts';

const VERSION_TYPES: readonly VersionType[] = ['internal', 'external', 'external_gte'];

/** Versions and sequence numbers; `cursor` only tells the line of an error. */
export function conditionsOf(members: ActionMembers, cursor: LineCursor): Conditions {
  const integer = (key: Exclude<MemberKey, '_source'>, min: number) =>
    integerOf(key, members.text(key), min, cursor);
  const conditions = {
    ifSeqNo: integer('if_seq_no', 0),
    ifPrimaryTerm: integer('if_primary_term', 0),
    version: integer('version', -Number.MAX_SAFE_INTEGER),
    versionType: versionTypeOf(members.text('version_type'), cursor),
    // OpenSearch takes a negative number for none.
    retryOnConflict: Math.max(0, integer('retry_on_conflict', -(2 ** 31)) ?? 0),
  };
  const { ifSeqNo, ifPrimaryTerm, version, versionType, retryOnConflict } = conditions;
  const any = (ifSeqNo ?? ifPrimaryTerm ?? version) !== undefined;
  return any || versionType !== 'internal' || retryOnConflict > 0 ? conditions : NO_CONDITIONS;
}

/** `op_type` may turn an index action into a create. */
export function kindOf(kind: OperationKind, members: ActionMembers, cursor: LineCursor): OperationKind {
  const opType = members.text('op_type');
  if (opType === undefined || kind === 'delete' || kind === 'update') return kind;
  if (opType !== 'index' && opType !== 'create')
    cursor.fail(`opType must be 'create' or 'index', found: [${shown(opType)}]`);
  return opType === 'create' ? 'create' : kind;
}

export function requireAliasOf(members: ActionMembers, cursor: LineCursor): boolean | undefined {
  const text = members.text('require_alias');
  if (text === undefined) return undefined;
  if (text !== 'true' && text !== 'false')
    cursor.fail(`field [require_alias] is [${shown(text)}] as only [true] or [false] are allowed`);
  return text === 'true';
}

function integerOf(
  key: MemberKey,
  text: string | undefined,
  min: number,
  cursor: LineCursor,
): number | undefined {
  if (text === undefined) return undefined;
  const value = /^-?\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= Number.MAX_SAFE_INTEGER) return value;
  return cursor.fail(
    `field [${key}] is [${shown(text)}], a whole number from ${min} to ${Number.MAX_SAFE_INTEGER} is allowed`,
  );
}

function versionTypeOf(text: string | undefined, cursor: LineCursor): VersionType {
  if (text === undefined) return 'internal';
  const found = VERSION_TYPES.find((type) => type === text);
  if (found !== undefined) return found;
  return cursor.fail(`field [version_type] is [${shown(text)}], allowed: [${VERSION_TYPES.join(', ')}]`);
}
