// In which form does a request's body come: is its content type one we read, and is it compressed?
import type { IncomingMessage } from 'node:http';
import { escapeControlCharacters, WeirError } from '@weir/shared';

const READABLE_TYPE = /^application\/(?:x-ndjson|json|vnd\.(?:elasticsearch|opensearch)\+(?:x-ndjson|json))$/;
const ALLOWED_TYPES =
  'application/x-ndjson, application/json, application/vnd.elasticsearch+x-ndjson, application/vnd.opensearch+x-ndjson, application/vnd.elasticsearch+json, application/vnd.opensearch+json';
/** What curl sends when it is told no type. */
const FORM_TYPE = 'application/x-www-form-urlencoded';
const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]*)"?/i;
const ENCODINGS = 'gzip, x-gzip, identity';

type Headers = Pick<IncomingMessage, 'headers'>;

/** Whether a body was announced at all. */
export function hasBody({ headers }: Headers): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0;
}

/** Throws 406 for a content type that is none of ours, 415 for a charset other than UTF-8, which is never guessed at. */
export function checkContentType({ headers }: Headers): void {
  const header = headers['content-type'] ?? '';
  if (!READABLE_TYPE.test(mediaType(header))) throw notAcceptable(header);
  const charset = CHARSET.exec(header)?.[1];
  if (charset === undefined || /^utf[-_]?8$/i.test(charset)) return;
  throw new WeirError(
    'unsupported_media',
    `charset [${shown(charset)}] of header [Content-Type] is not supported, allowed: [utf-8]`,
  );
}

/** Whether the body calls itself a form: curl's way to say that nobody chose a type. */
export function isForm({ headers }: Headers): boolean {
  return mediaType(headers['content-type'] ?? '') === FORM_TYPE;
}

export function notAcceptable(contentType: string): WeirError {
  return new WeirError(
    'not_acceptable',
    `Content-Type header [${shown(contentType)}] is not supported, allowed: [${ALLOWED_TYPES}]`,
  );
}

/** Whether the body is gzip; 415 with the list for any other encoding. */
export function isGzip({ headers }: Headers): boolean {
  const encoding = (headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'gzip' || encoding === 'x-gzip') return true;
  if (encoding === 'identity' || encoding === '') return false;
  throw new WeirError(
    'unsupported_media',
    `Content-Encoding [${shown(encoding)}] is not supported, allowed: [${ENCODINGS}]`,
  );
}

/** Throws 400 for gzip that came without its header, and shows none of its bytes. */
export function checkNotGzip(body: Buffer): void {
  if (body[0] !== 0x1f || body[1] !== 0x8b) return;
  throw new WeirError(
    'illegal_argument',
    'the body is gzip, but its header [Content-Encoding: gzip] is missing',
  );
}

function mediaType(header: string): string {
  return (header.split(';', 1)[0] ?? '').trim().toLowerCase();
}

function shown(header: string): string {
  return escapeControlCharacters(header.slice(0, 100));
}
