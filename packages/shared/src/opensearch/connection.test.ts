import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { baseOptions } from '../ops/base-options.ts';
import { loadConfig } from '../ops/config.ts';
import { WeirError } from '../ops/errors.ts';
import { openSearchConnection } from './connection.ts';
import { OPENSEARCH_OPTIONS } from './connection-options.ts';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'weir-connection-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

function load(env: Record<string, string>) {
  const loaded = loadConfig(
    {
      program: 'coordinator',
      summary: 'decides.',
      base: baseOptions({ httpPort: 9200, dataDir: '.weir' }),
      own: OPENSEARCH_OPTIONS,
    },
    { argv: [], env },
  );
  if (loaded.kind !== 'run') throw new Error('expected a run');
  return loaded.config;
}

function mistake(env: Record<string, string>): string {
  try {
    openSearchConnection(load(env));
  } catch (error) {
    if (error instanceof WeirError && error.code === 'config') return error.message;
    throw error;
  }
  throw new Error('expected a configuration error');
}

const URLS = 'WEIR_OPENSEARCH_URLS';

describe('connection to an OpenSearch cluster', () => {
  it('takes several origins, without credentials where none are given', () => {
    const config = load({ [URLS]: 'http://one:9200/, http://[::1]:9201,http://Two:80' });
    expect(openSearchConnection(config)).toEqual({
      origins: ['http://one:9200', 'http://[::1]:9201', 'http://two'],
      authorization: undefined,
      ca: undefined,
    });
  });

  it('signs in with a user and password, or with an API key', () => {
    const user = { WEIR_OPENSEARCH_USERNAME: 'weir', WEIR_OPENSEARCH_PASSWORD: 'zü:er' };
    const basic = Buffer.from('weir:zü:er').toString('base64');
    expect(openSearchConnection(load({ [URLS]: 'https://a', ...user })).authorization).toBe(`Basic ${basic}`);
    const key = { WEIR_OPENSEARCH_API_KEY: 'VnVhQ2ZHY0JDZGJrUQ==' };
    expect(openSearchConnection(load({ [URLS]: 'https://a', ...key })).authorization).toBe(
      'ApiKey VnVhQ2ZHY0JDZGJrUQ==',
    );
  });

  it('shows neither password nor key in the effective configuration', () => {
    const config = load({
      [URLS]: 'https://a',
      WEIR_OPENSEARCH_PASSWORD: 'geheim',
      WEIR_OPENSEARCH_API_KEY: 'c2Nobw==',
    });
    expect(JSON.stringify(config.effective)).not.toMatch(/geheim|c2Nobw/);
  });

  it('wants a place to connect to', () => {
    expect(mistake({})).toContain('weir.opensearch.urls is missing');
  });

  it('says which half of the credentials is missing, and that there is one way to sign in', () => {
    expect(mistake({ [URLS]: 'http://a', WEIR_OPENSEARCH_USERNAME: 'u' })).toContain(
      'weir.opensearch.password is missing beside weir.opensearch.username',
    );
    expect(mistake({ [URLS]: 'http://a', WEIR_OPENSEARCH_PASSWORD: 'p' })).toContain(
      'weir.opensearch.username is missing beside weir.opensearch.password',
    );
    expect(
      mistake({ [URLS]: 'http://a', WEIR_OPENSEARCH_PASSWORD: 'p', WEIR_OPENSEARCH_API_KEY: 'a2V5' }),
    ).toContain('choose one of the two ways to sign in');
  });

  it.each([
    'http://a/path',
    'http://u:secret@a',
    'a:9200',
    'ftp://a',
    '',
    'http://a,,http://b',
    'http://a?x',
  ])('takes no address like %s', (url) => {
    const message = mistake({ [URLS]: url === '' ? ' ' : url });
    expect(message).toContain('weir.opensearch.urls');
    expect(message).not.toContain('secret');
  });

  it('reads the authorities at the start, and says what is wrong with their file', () => {
    const file = join(directory, 'ca.pem');
    const env = { [URLS]: 'https://a', WEIR_OPENSEARCH_CA_FILE: file };
    expect(mistake(env)).toBe(`weir.opensearch.ca_file ${file} cannot be read (ENOENT)`);
    writeFileSync(file, 'no certificate');
    expect(mistake(env)).toContain('holds no certificate in PEM form');
    writeFileSync(file, '-----BEGIN CERTIFICATE-----\nMII\n-----END CERTIFICATE-----\n');
    expect(openSearchConnection(load(env)).ca).toContain('MII');
    expect(mistake({ ...env, [URLS]: 'https://a,http://b' })).toContain('[http://b]');
  });
});
