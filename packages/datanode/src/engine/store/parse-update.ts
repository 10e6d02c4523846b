// What does the source line of an update ask for? Unknown keys, scripts and contradictions are named.
import {
  type ExactObject,
  type ExactValue,
  parseExact,
  plainValue,
  type SourceFilter,
} from '@weir/shared/documents';
import { type ErrorCode, WeirError } from '@weir/shared/errors';
import { printable } from '../printable.ts';
import { documentFault } from './check-document.ts';
import { isObject } from './merge-document.ts';
import { parseSourceFilter } from './source-filter.ts';

export type UpdateBody = {
  readonly doc: ExactObject | undefined;
  /** Document to make when there is none: `upsert`, or `doc` with doc_as_upsert. */
  readonly upsert: ExactObject | undefined;
  readonly detectNoop: boolean;
  /** Undefined: the body does not ask for the resulting source. */
  readonly source: SourceFilter | undefined;
  readonly ifSeqNo: number | undefined;
  readonly ifPrimaryTerm: number | undefined;
};

const KEYS = [
  'doc',
  'upsert',
  'doc_as_upsert',
  'detect_noop',
  '_source',
  'if_seq_no',
  'if_primary_term',
] as const;
const SCRIPT_KEYS = ['script', 'scripted_upsert'];

/** Reads an update's body; throws a WeirError that is the item's error. */
export function parseUpdate(source: Buffer): UpdateBody {
  const fault = documentFault(source);
  if (fault !== undefined)
    throw new WeirError('x_content_parse', `[UpdateRequest] failed to parse: ${fault}`);
  const body = parseExact(source.toString());
  if (!isObject(body)) throw new WeirError('x_content_parse', '[UpdateRequest] has to be an object');
  refuseUnknown(body);
  const doc = objectOf(body, 'doc');
  const upsert = objectOf(body, 'upsert');
  const docAsUpsert = flagOf(body, 'doc_as_upsert', false);
  if (doc === undefined && docAsUpsert) throw invalid('doc must be specified if doc_as_upsert is enabled');
  if (doc === undefined) throw invalid('script or doc is missing');
  return {
    doc,
    upsert: docAsUpsert ? doc : upsert,
    detectNoop: flagOf(body, 'detect_noop', true),
    source: body['_source'] === undefined ? undefined : parseSourceFilter(plainValue(body['_source'])),
    ifSeqNo: integerOf(body, 'if_seq_no'),
    ifPrimaryTerm: integerOf(body, 'if_primary_term'),
  };
}

function refuseUnknown(body: ExactObject): void {
  if (body['script'] !== undefined && body['doc'] !== undefined)
    throw invalid("can't provide both script and doc");
  const script = SCRIPT_KEYS.find((key) => body[key] !== undefined);
  if (script !== undefined)
    throw new WeirError(
      'illegal_argument',
      `[${script}] is not supported: this engine runs no scripts, use [doc]`,
    );
  const unknown = Object.keys(body).find((key) => !(KEYS as readonly string[]).includes(key));
  if (unknown === undefined) return;
  throw new WeirError(
    'x_content_parse',
    `[UpdateRequest] unknown field [${printable(unknown)}], allowed: [${KEYS.join(', ')}]`,
  );
}

function objectOf(body: ExactObject, key: string): ExactObject | undefined {
  const value = body[key];
  if (value === undefined || isObject(value)) return value;
  throw wrongKind('x_content_parse', key, value, 'an object');
}

function flagOf(body: ExactObject, key: string, otherwise: boolean): boolean {
  const value = body[key];
  if (value === undefined || typeof value === 'boolean') return value ?? otherwise;
  if (value === 'true' || value === 'false') return value === 'true';
  throw wrongKind('x_content_parse', key, value, 'true or false');
}

function integerOf(body: ExactObject, key: string): number | undefined {
  const value = body[key];
  if (value === undefined) return undefined;
  const number = Number(plainValue(value));
  if (Number.isSafeInteger(number) && number >= 0) return number;
  throw wrongKind('x_content_parse', key, value, 'an integer of at least 0');
}

function wrongKind(code: ErrorCode, key: string, value: ExactValue, allowed: string): WeirError {
  const shown = JSON.stringify(plainValue(value)).slice(0, 100);
  return new WeirError(
    code,
    `[UpdateRequest] failed to parse field [${key}]: got ${shown}, allowed: ${allowed}`,
  );
}

function invalid(reason: string): WeirError {
  return new WeirError('validation', `Validation Failed: 1: ${reason};`);
}
