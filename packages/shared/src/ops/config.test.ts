import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { baseOptions } from './base-options.ts';
import { loadConfig } from './config.ts';
import { PORT } from './config-kinds.ts';
import { option } from './config-option.ts';
import { WeirError } from './errors.ts';
import { WEIR_VERSION } from './version.ts';

const request = {
  program: 'datanode',
  summary: 'stores shards.',
  base: baseOptions({ httpPort: 9300, dataDir: '.weir/data' }),
  own: { extraPort: option({ key: 'weir.extra.port', name: 'extra-port', what: 'Another.' }, PORT, 7) },
};

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'weir-config-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

function configFile(content: unknown): string {
  const path = join(directory, 'weir.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

function load(argv: string[], env: Record<string, string> = {}) {
  const loaded = loadConfig(request, { argv, env });
  if (loaded.kind !== 'run') throw new Error('expected a run');
  return loaded.config;
}

function mistakes(argv: string[], env: Record<string, string> = {}): string {
  try {
    load(argv, env);
  } catch (error) {
    if (error instanceof WeirError && error.code === 'config') return error.message;
    throw error;
  }
  throw new Error('expected a configuration error');
}

describe('configuration', () => {
  it('listens on loopback with defaults when nothing is given', () => {
    expect(load([])).toMatchObject({
      host: '127.0.0.1',
      httpPort: 9300,
      publishHost: '127.0.0.1',
      dataDir: '.weir/data',
      clusterName: 'weir',
      engine: 'sqlite',
      extraPort: 7,
      access: { secret: undefined, insecure: false, loopbackOnly: true },
      timeouts: { clientMs: 60_000, coordinatorMs: 55_000, primaryMs: 50_000, replicaMs: 45_000 },
      fileSettings: {},
    });
  });

  it('takes flags over environment over file over defaults', () => {
    const file = configFile({
      weir: { http: { port: 1 }, node: { name: 'from-file' } },
      'weir.cluster.name': 'file',
    });
    const env = { WEIR_CONFIG: file, WEIR_HTTP_PORT: '2', WEIR_NODE_NAME: 'from-env' };
    expect(load(['--http-port', '3'], env)).toMatchObject({
      httpPort: 3,
      nodeName: 'from-env',
      clusterName: 'file',
    });
    expect(load(['--config', file])).toMatchObject({ httpPort: 1, nodeName: 'from-file' });
  });

  it('hands on the dynamic settings of the file, nested or dotted, as they are', () => {
    const file = configFile({ weir: { admission: { mode: 'monitor_only' } }, 'weir.stats.interval': '2s' });
    expect(load([`--config=${file}`]).fileSettings).toEqual({
      'weir.admission.mode': 'monitor_only',
      'weir.stats.interval': '2s',
    });
  });

  it('names every mistake at once with source, key, value and what is allowed', () => {
    const file = configFile({ 'weir.engine': 'oracle', other: 1 });
    const message = mistakes(['--http-port', '70000', '--nonsense', 'stray', '--config', file], {
      WEIR_REDIS_URL: 'redis://user:hidden@:6379',
      WEIR_HTTP_PROT: '1',
      WEIR_CLUSTER_SECRET: 'too short',
    });
    expect(message).toMatch(/^8 mistakes in the configuration: /);
    for (const part of [
      'flag --nonsense is unknown',
      'argument "stray" is not expected',
      'flag --http-port: weir.http.port is "70000", allowed: a whole number from 0 to 65535',
      'environment WEIR_HTTP_PROT is unknown',
      'environment WEIR_REDIS_URL: weir.redis.url is "redis://***@:6379", allowed: redis://',
      'environment WEIR_CLUSTER_SECRET: weir.cluster.secret is "[redacted]", allowed: 16 to 256',
      `file ${file}: weir.engine is "oracle", allowed: sqlite`,
      `file ${file}: key other is unknown`,
    ])
      expect(message).toContain(part);
    expect(message).not.toContain('hidden');
    expect(message).not.toContain('too short');
    expect(message).not.toContain('\n');
  });

  it.each([
    ['--http-port', '-1'],
    ['--http-port', '1.5'],
    ['--http-port', '0x50'],
    ['--http-port', ''],
    ['--host', '1.2.3.4:80'],
    ['--host', '-x'],
    ['--node-name', 'a b'],
    ['--node-name', 'a\nb'],
    ['--data-dir', ''],
    ['--log-level', 'loud'],
    ['--engine', 'lucene'],
    ['--redis-url', 'http://127.0.0.1:6379'],
    ['--redis-url', '127.0.0.1:6379'],
    ['--redis-url', 'redis:///run/redis.sock'],
    ['--timeout-client', '60'],
    ['--timeout-client', '0s'],
  ])('refuses %s %j', (flag, value) => {
    expect(mistakes([`${flag}=${value}`])).toContain(`flag ${flag}: weir.`);
  });

  it.each([
    'redis://127.0.0.1',
    'redis://:pass@host:6379/3',
    'rediss://user:pass@redis.example:6380',
    'unix:///run/redis.sock',
  ])('accepts the Redis URL %s', (url) => {
    expect(load(['--redis-url', url]).redisUrl).toBe(url);
  });

  it('refuses a flag without its value, and the secret as a flag', () => {
    expect(mistakes(['--http-port'])).toContain('flag --http-port needs a value');
    expect(mistakes(['--cluster-secret', '0123456789abcdef'])).toContain('flag --cluster-secret is unknown');
  });

  it('refuses a file that is missing or broken without showing what stands in it', () => {
    expect(mistakes(['--config', join(directory, 'none.json')])).toContain('ENOENT');
    const message = mistakes(['--config', configFile('{"weir.cluster.secret": very-secret')]);
    expect(message).toContain('not valid JSON');
    expect(message).not.toContain('very-secret');
    expect(mistakes(['--config', configFile([1])])).toContain('must hold a JSON object');
  });

  it('refuses a key that stands in the file twice', () => {
    const file = configFile({ 'weir.http.port': 1, weir: { http: { port: 2 } } });
    expect(mistakes(['--config', file])).toContain('key weir.http.port stands there twice');
  });

  it('refuses dynamic settings of the file that are wrong or unknown, together with everything else', () => {
    const file = configFile({ 'weir.admission.mode': 'off', weir: { admision: { mode: 'enforced' } } });
    const message = mistakes(['--config', file, '--http-port', 'x']);
    expect(message).toMatch(/^3 mistakes/);
    expect(message).toContain('weir.admission.mode');
    expect(message).toMatch(/weir\.admision\.mode\], not recognized, did you mean \[weir\.admission\.mode\]/);
  });

  it('ignores what container platforms set for a service named weir, and empty variables', () => {
    const env = {
      WEIR_SERVICE_HOST: '10.0.0.1',
      WEIR_SERVICE_PORT: '9200',
      WEIR_PORT: 'tcp://10.0.0.1:9200',
      WEIR_PORT_9200_TCP_ADDR: '10.0.0.1',
      WEIR_HTTP_PORT: 'tcp://10.0.0.1:9200',
      WEIR_REDIS_URL: '',
    };
    expect(load([], env)).toMatchObject({ httpPort: 9300, redisUrl: undefined });
  });

  it('I8: refuses timeouts that do not nest, naming both keys and both values', () => {
    expect(mistakes(['--timeout-coordinator', '60s'])).toContain(
      'weir.timeout.client (1m) must be longer than weir.timeout.coordinator (1m)',
    );
    expect(mistakes(['--timeout-replica', '2m'])).toContain(
      'weir.timeout.primary (50s) must be longer than weir.timeout.replica (2m)',
    );
    const nested = [
      '--timeout-client=4s',
      '--timeout-coordinator=3s',
      '--timeout-primary=2s',
      '--timeout-replica=900ms',
    ];
    expect(load(nested).timeouts.replicaMs).toBe(900);
  });

  it('knows which addresses only this machine reaches', () => {
    const loopbackOnly = (host: string) => load(['--host', host]).access.loopbackOnly;
    expect(['127.0.0.1', '127.1.2.3', 'localhost', '::1', '::ffff:127.0.0.1'].map(loopbackOnly)).toEqual(
      Array(5).fill(true),
    );
    expect(['0.0.0.0', '::', '10.0.0.1', 'example.org'].map(loopbackOnly)).toEqual(Array(4).fill(false));
  });

  it('publishes a name that others can reach when it listens on all addresses', () => {
    expect(load(['--host', '0.0.0.0']).publishHost).not.toBe('0.0.0.0');
    expect(load(['--host', '0.0.0.0', '--publish-host', 'dn1.local']).publishHost).toBe('dn1.local');
    expect(load(['--host', '10.0.0.7']).publishHost).toBe('10.0.0.7');
  });

  it('shows the effective configuration with its sources and without secrets', () => {
    const { effective } = load(['--insecure'], {
      WEIR_CLUSTER_SECRET: '0123456789abcdef',
      WEIR_REDIS_URL: 'redis://me:hidden@127.0.0.1:6379',
    });
    const row = (key: string) => effective.find((option) => option.key === key);
    expect(row('weir.cluster.insecure')).toEqual({
      key: 'weir.cluster.insecure',
      value: true,
      from: 'flag --insecure',
    });
    expect(row('weir.redis.url')?.value).toBe('redis://***@127.0.0.1:6379');
    expect(row('weir.cluster.secret')?.value).toBe('[redacted]');
    expect(row('weir.http.port')).toEqual({ key: 'weir.http.port', value: 9300, from: 'default' });
    expect(JSON.stringify(effective)).not.toMatch(/hidden|0123456789abcdef/);
  });

  it('hands on what was given, from whichever source, as environment variables', () => {
    const env = { WEIR_CONFIG: configFile({ 'weir.http.port': 7 }), WEIR_CLUSTER_SECRET: '0123456789abcdef' };
    const loaded = loadConfig(request, { argv: ['--insecure', '--timeout-client=2m'], env });
    const variables = loaded.kind === 'run' ? loaded.variables : {};
    expect(variables).toEqual({
      WEIR_HTTP_PORT: '7',
      WEIR_CLUSTER_SECRET: '0123456789abcdef',
      WEIR_INSECURE: 'true',
      WEIR_TIMEOUT_CLIENT: '2m',
    });
    expect(loadConfig(request, { argv: [], env: variables })).toMatchObject({
      kind: 'run',
      config: { httpPort: 7 },
    });
  });

  it('prints help that names every option in every source, and the version', () => {
    const help = loadConfig(request, { argv: ['--help', '--http-port', 'x'], env: {} });
    expect(help).toMatchObject({ kind: 'print' });
    const text = help.kind === 'print' ? help.text : '';
    for (const name of [
      '--http-port <port>',
      'WEIR_HTTP_PORT',
      'weir.http.port',
      'Default: 7.',
      '--insecure  ',
    ])
      expect(text).toContain(name);
    expect(text).not.toContain('--cluster-secret');
    expect(text).toContain('WEIR_CLUSTER_SECRET');
    expect(loadConfig(request, { argv: ['--version'], env: {} })).toEqual({
      kind: 'print',
      text: `${WEIR_VERSION}\n`,
    });
  });
});
