// Who changes settings, as the history tells it: by their own word, or by the name of their API key.
import { escapeControlCharacters } from '@weir/shared';
import type { Request } from 'express';

const MAX_LENGTH = 100;

/** `X-Weir-Author`, else the id of an `Authorization: ApiKey`, else `anonymous`; never a secret. */
export function authorOf(request: Pick<Request, 'headers'>): string {
  const given = request.headers['x-weir-author'];
  const author = (typeof given === 'string' ? given.trim() : '') || apiKeyId(request.headers.authorization);
  return author === '' ? 'anonymous' : escapeControlCharacters(author.slice(0, MAX_LENGTH));
}

/** The part before the colon of `ApiKey base64(id:secret)`. */
function apiKeyId(authorization: string | undefined): string {
  const encoded = /^ApiKey +([A-Za-z0-9+/_=-]+)$/i.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return '';
  const [id = '', secret] = Buffer.from(encoded, 'base64').toString().split(':');
  // Without a colon the whole text may be the secret.
  return secret === undefined ? '' : id;
}
