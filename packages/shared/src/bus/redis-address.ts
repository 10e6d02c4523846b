// Where Redis is: a URL read strictly, and the same URL without its password for logs and errors.
import { WeirError } from '../ops/errors.ts';

export type RedisAddress = {
  /** What ioredis takes: a URL, or the path of a unix socket. */
  readonly target: string;
  /** The address as it may be shown. */
  readonly shown: string;
};

const ALLOWED = 'redis://host:port, rediss://host:port, unix:///path or an absolute path of a socket';

/** The address in `text`; throws WeirError('config') where it is none. */
export function parseRedisAddress(text: string): RedisAddress {
  const path = text.startsWith('unix://') ? text.slice('unix://'.length) : text;
  if (path.startsWith('/')) return { target: path, shown: path };
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    // Not shown: what cannot be read may still hold a password.
    throw new WeirError('config', `the Redis URL cannot be read, allowed: ${ALLOWED}`);
  }
  if ((url.protocol !== 'redis:' && url.protocol !== 'rediss:') || url.hostname === '')
    throw new WeirError('config', `the Redis URL [${redactUrl(text)}] is not one of: ${ALLOWED}`);
  return { target: text, shown: redactUrl(text) };
}

/** A URL with its user and password replaced by `***`, also where they hold an @ or a slash; text that is no URL is returned as it is. */
export function redactUrl(text: string): string {
  return text.replace(/^([a-z][a-z0-9+.-]*:\/\/).*@/is, '$1***@').replace(/([?&]password=)[^&]*/gi, '$1***');
}
