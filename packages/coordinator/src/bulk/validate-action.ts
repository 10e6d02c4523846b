// Is an action whole, so that it can be sent at all? OpenSearch's own checks and words, before anything runs.
import { type BulkAction, NO_CONDITIONS } from './bulk-action.ts';

const MAX_ID_BYTES = 512;
/** A UTF-16 code unit takes at most three bytes of UTF-8: shorter ids need no counting. */
const SURELY_FITTING_ID_LENGTH = Math.floor(MAX_ID_BYTES / 3);

/** What is wrong with an action; undefined for nearly all. A request with one such action is refused whole. */
export function problemOf(action: BulkAction): string | undefined {
  const { id, kind } = action;
  if (action.index === undefined) return 'index is missing';
  if ((id === undefined || id === '') && (kind === 'update' || kind === 'delete')) return 'id is missing';
  if (id !== undefined && id.length > SURELY_FITTING_ID_LENGTH) {
    const bytes = Buffer.byteLength(id);
    if (bytes > MAX_ID_BYTES)
      return `id is too long, must be no longer than ${MAX_ID_BYTES} bytes but was: ${bytes}`;
  }
  if (kind === 'update' && holdsScriptAndDoc(action.source)) return "can't provide both script and doc";
  return action.conditions === NO_CONDITIONS ? undefined : problemOfConditions(action);
}

function problemOfConditions(action: BulkAction): string | undefined {
  const { versionType, version } = action.conditions;
  const versioned = version !== undefined || versionType !== 'internal';
  if (action.kind === 'update' && versioned)
    return 'Update requests do not support versioning. Please use `if_seq_no` and `if_primary_term` instead';
  if (action.kind === 'create') return problemOfCreate(action, versioned);
  if (action.id === undefined && versioned) return 'an id must be provided if version type or value are set';
  return problemOfVersion(action, versioned) ?? problemOfSequence(action);
}

function problemOfCreate({ conditions }: BulkAction, versioned: boolean): string | undefined {
  if (conditions.versionType !== 'internal')
    return 'create operations only support internal versioning. use index instead';
  if (versioned) return 'create operations do not support explicit versions. use index instead';
  if (conditions.ifSeqNo !== undefined || conditions.ifPrimaryTerm !== undefined)
    return 'create operations do not support compare and set. use index instead';
  return undefined;
}

function problemOfVersion({ conditions }: BulkAction, versioned: boolean): string | undefined {
  const { version, versionType, ifSeqNo } = conditions;
  if (!versioned) return undefined;
  if (versionType === 'internal')
    return 'internal versioning can not be used for optimistic concurrency control. Please use `if_seq_no` and `if_primary_term` instead';
  if (version === undefined || version < 0)
    return `illegal version value [${version ?? 'none'}] for version type [${versionType.toUpperCase()}]`;
  return ifSeqNo === undefined ? undefined : 'compare and write operations can not use versioning';
}

function problemOfSequence({ conditions: { ifSeqNo, ifPrimaryTerm = 0 } }: BulkAction): string | undefined {
  if (ifSeqNo !== undefined && ifPrimaryTerm === 0) return 'ifSeqNo is set, but primary term is [0]';
  if (ifSeqNo === undefined && ifPrimaryTerm !== 0)
    return `ifSeqNo is unassigned, but primary term is [${ifPrimaryTerm}]`;
  return undefined;
}

/** Updates are looked into only where the word stands in them; what is no JSON object fails at the data node, alone. */
function holdsScriptAndDoc(source: Buffer): boolean {
  if (!source.includes('"script"')) return false;
  try {
    const body: unknown = JSON.parse(source.toString());
    return typeof body === 'object' && body !== null && 'script' in body && 'doc' in body;
  } catch {
    return false;
  }
}
