// How this service itself reaches an OpenSearch cluster, put together from its options and checked at the start.
import { readFileSync } from 'node:fs';
import { WeirError } from '../ops/errors.ts';
import type { OpenSearchFields } from './connection-options.ts';

export type OpenSearchConnection = {
  /** At least one; any of them answers for the whole cluster. */
  readonly origins: readonly string[];
  /** This service's own credentials as a header's value; secret. */
  readonly authorization: string | undefined;
  /** Authorities to trust instead of Node.js's own, as PEM. */
  readonly ca: string | undefined;
};

/** Throws `config` where the options do not make a connection. */
export function openSearchConnection(fields: OpenSearchFields): OpenSearchConnection {
  const { openSearchUrls: origins, openSearchCaFile: caFile } = fields;
  if (origins.length === 0)
    throw new WeirError(
      'config',
      'weir.opensearch.urls is missing: with weir.engine opensearch say where its nodes answer, such as http://127.0.0.1:9201 (WEIR_OPENSEARCH_URLS)',
    );
  const plain = origins.find((origin) => origin.startsWith('http:'));
  if (caFile !== undefined && plain !== undefined)
    throw new WeirError(
      'config',
      `weir.opensearch.ca_file is given, but [${plain}] in weir.opensearch.urls is not https`,
    );
  return {
    origins,
    authorization: authorizationOf(fields),
    ca: caFile === undefined ? undefined : readAuthorities(caFile),
  };
}

function authorizationOf(fields: OpenSearchFields): string | undefined {
  const { openSearchUsername: user, openSearchPassword: password, openSearchApiKey: key } = fields;
  if (key !== undefined) {
    if (user === undefined && password === undefined) return `ApiKey ${key}`;
    throw new WeirError(
      'config',
      'weir.opensearch.api_key stands beside weir.opensearch.username or .password: choose one of the two ways to sign in',
    );
  }
  if (user === undefined && password === undefined) return undefined;
  if (user === undefined || password === undefined)
    throw new WeirError(
      'config',
      `weir.opensearch.${user === undefined ? 'username' : 'password'} is missing beside weir.opensearch.${user === undefined ? 'password' : 'username'}`,
    );
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

function readAuthorities(path: string): string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    const why = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : 'unknown';
    throw new WeirError('config', `weir.opensearch.ca_file ${path} cannot be read (${why})`, { cause });
  }
  if (text.includes('-----BEGIN CERTIFICATE-----')) return text;
  throw new WeirError('config', `weir.opensearch.ca_file ${path} holds no certificate in PEM form`);
}
