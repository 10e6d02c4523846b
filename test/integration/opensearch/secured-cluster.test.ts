import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WeirError } from '@weir/shared';
import { startFront } from '../../support/front-coordinator.ts';
import { ask } from '../../support/real-opensearch.ts';
import { selfSigned } from '../../support/self-signed.ts';

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
      else if (request.url === '/')
        response.end('{"cluster_name":"c","version":{"number":"2.19.6","distribution":"opensearch"}}');
      else if (request.url?.startsWith('/_cluster/state'))
        response.end('{"cluster_name":"c","version":1,"state_uuid":"s"}');
      else response.end('{}');
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

  it('is refused in one line with wrong credentials, without them, and without its authority', async () => {
    const refused = `weir.opensearch.urls: [${origin}] refuses the credentials (status 401): see weir.opensearch.username, .password and .api_key`;
    expect(await failure({ WEIR_OPENSEARCH_API_KEY: 'd3Jvbmc=' })).toBe(refused);
    expect(await failure({})).toBe(refused);
    expect(await failure({ WEIR_OPENSEARCH_CA_FILE: '' })).toBe(
      `weir.opensearch.urls: [${origin}] shows a certificate that is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT): see weir.opensearch.ca_file`,
    );
  });
});
