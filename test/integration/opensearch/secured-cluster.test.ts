import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WeirError } from '@weir/shared';
import { freePort } from '../../support/free-ports.ts';
import { startFront } from '../../support/front-coordinator.ts';
import { ask } from '../../support/real-opensearch.ts';
import { startRealRedis } from '../../support/real-redis.ts';
import { ROOT } from '../../support/repository.ts';
import { runningService } from '../../support/running-service.ts';
import { selfSigned } from '../../support/self-signed.ts';

const ANSWERS: Readonly<Record<string, string>> = {
  '/': '{"cluster_name":"c","version":{"number":"2.19.6","distribution":"opensearch"}}',
  '/_cluster/state/version': '{"cluster_name":"c","version":1,"state_uuid":"s"}',
  '/_cluster/settings': '{"persistent":{},"transient":{},"defaults":{}}',
};

/** A cluster behind https that wants credentials for everything, and remembers those it was shown. */
describe('a cluster with TLS and credentials', () => {
  let directory: string;
  let server: Server;
  let origin: string;
  const shown: (readonly [string, string | undefined])[] = [];
  const OWN = `Basic ${Buffer.from('weir:pass word').toString('base64')}`;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'weir-tls-'));
    const { key, cert } = selfSigned(directory);
    server = createServer({ key, cert }, (request, response) => {
      shown.push([request.url ?? '', request.headers.authorization]);
      response.setHeader('content-type', 'application/json');
      if (request.headers.authorization !== OWN)
        response.writeHead(401, { 'WWW-Authenticate': 'Basic' }).end('{}');
      else response.end(ANSWERS[request.url?.split('?', 1)[0] ?? ''] ?? '{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    rmSync(directory, { recursive: true });
  });

  const start = (env: Record<string, string>) =>
    startFront([origin], { WEIR_OPENSEARCH_CA_FILE: join(directory, 'cert.pem'), ...env });
  const failure = (env: Record<string, string>) =>
    start(env).then(
      () => 'started',
      (thrown: unknown) =>
        thrown instanceof WeirError && thrown.code === 'config' ? thrown.message : thrown,
    );

  it('is read with the credentials of the configuration, while those of clients go with their own requests', async () => {
    const weir = await start({ WEIR_OPENSEARCH_USERNAME: 'weir', WEIR_OPENSEARCH_PASSWORD: 'pass word' });
    try {
      const bad = await ask(weir.origin, 'GET', '/logs/_search', undefined, {
        authorization: 'Basic b3RoZXI=',
      });
      expect([bad.status, bad.headers.get('www-authenticate')]).toEqual([401, 'Basic']);
      expect((await ask(weir.origin, 'GET', '/logs/_search', undefined, { authorization: OWN })).status).toBe(
        200,
      );
      expect((await ask(weir.origin, 'GET', '/nobody')).status).toBe(401);
      const settings = JSON.stringify((await ask(weir.origin, 'GET', '/_weir/settings')).json);
      expect(settings).not.toContain('pass word');
    } finally {
      await weir.stop();
    }
    expect(
      shown.filter(([url]) => url.startsWith('/_cluster/state')).every(([, given]) => given === OWN),
    ).toBe(true);
    expect(shown.filter(([url]) => url === '/nobody')).toEqual([['/nobody', undefined]]);
  });

  it('is told of by a coordinator that shows neither its own credentials nor those of clients to anybody', async () => {
    const redis = await startRealRedis();
    const port = await freePort();
    const coordinator = runningService({
      ...{ name: 'c1', port, logPath: join(directory, 'c1.log') },
      command: [process.execPath, join(ROOT, 'packages/coordinator/dist/main.js')],
      env: {
        WEIR_ENGINE: 'opensearch',
        WEIR_OPENSEARCH_URLS: origin,
        WEIR_OPENSEARCH_CA_FILE: join(directory, 'cert.pem'),
        WEIR_OPENSEARCH_USERNAME: 'weir',
        WEIR_OPENSEARCH_PASSWORD: 'pass word',
        WEIR_REDIS_URL: redis.url,
        WEIR_HTTP_PORT: String(port),
        WEIR_DATA_DIR: join(directory, 'c1'),
        WEIR_LOG_LEVEL: 'debug',
      },
      // It knows no shard here.
      isReady: async () =>
        (await fetch(`http://127.0.0.1:${port}/livez`).catch(() => undefined))?.ok === true,
    });
    try {
      await coordinator.start();
      const client = { authorization: 'ApiKey Y2xpZW50OmtleQ==' };
      const get = (path: string, headers: Record<string, string> = {}) =>
        ask(coordinator.origin, 'GET', path, undefined, headers);
      await get('/logs/_search', client);
      await ask(
        coordinator.origin,
        'POST',
        '/_bulk',
        Buffer.from('{"index":{"_index":"logs"}}\n{}\n'),
        client,
      );
      expect(shown.filter(([, given]) => given === client.authorization).map(([url]) => url)).toEqual([
        '/logs/_search',
        '/_bulk',
      ]);
      const seen = [
        await get('/_cluster/settings?include_defaults&flat_settings', { authorization: OWN }),
        ...(await Promise.all(
          ['/_weir/settings', '/_weir/view', '/_weir/cluster', '/_weir/rejections', '/metrics'].map((path) =>
            get(path),
          ),
        )),
      ].map(({ text }) => text);
      expect(seen[0]).toContain('weir.admission.mode');
      await coordinator.stop();
      seen.push(coordinator.output());
      expect(seen.at(-1)).toContain('"weir.opensearch.password":"[redacted]"');
      for (const secret of ['pass word', OWN.slice(6), 'Y2xpZW50OmtleQ=='])
        expect(seen.filter((text) => text.includes(secret))).toEqual([]);
    } finally {
      await coordinator.stop('SIGKILL');
      await redis.stop();
    }
  }, 60_000);

  it('is refused in one line with wrong credentials, without them, and without its authority', async () => {
    const refused = `weir.opensearch.urls: [${origin}] refuses the credentials (status 401): see weir.opensearch.username, .password and .api_key`;
    expect(await failure({ WEIR_OPENSEARCH_API_KEY: 'd3Jvbmc=' })).toBe(refused);
    expect(await failure({})).toBe(refused);
    expect(await failure({ WEIR_OPENSEARCH_CA_FILE: '' })).toBe(
      `weir.opensearch.urls: [${origin}] shows a certificate that is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT): see weir.opensearch.ca_file`,
    );
  });
});
