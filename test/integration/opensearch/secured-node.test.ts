import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeShardBulkAnswer, encodeShardBulk, INTERNAL_PATHS } from '@weir/shared';
import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/free-ports.ts';
import { type HttpCalls, httpCalls } from '../../support/http-calls.ts';
import { type RealRedis, startRealRedis } from '../../support/real-redis.ts';
import { ROOT } from '../../support/repository.ts';
import { type RunningService, runningService } from '../../support/running-service.ts';
import { type SelfSigned, selfSigned } from '../../support/self-signed.ts';
import { admittedPrimary, indexOperation } from '../../support/shard-requests.ts';

const SECRETS = { password: 'pass word', basic: Buffer.from('weir:pass word').toString('base64') };
const CLIENT = 'Basic Y2xpZW50OnJpZ2h0cw==';

/** An agent as a process, beside a node behind https that wants credentials for its stats, and remembers those it was shown. */
describe('an agent beside a node with TLS and credentials', () => {
  let directory: string;
  let redis: RealRedis;
  let node: Server;
  let certificate: SelfSigned;
  let agent: RunningService;
  let calls: HttpCalls;
  const shown: (readonly [string, string | undefined])[] = [];

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'weir-tls-'));
    certificate = selfSigned(directory);
    redis = await startRealRedis();
    node = createServer(certificate, (request, response) => {
      const { url = '', headers } = request;
      const path = url.split('?', 1)[0] ?? '';
      shown.push([path, headers.authorization]);
      request.resume();
      if (path === '/_bulk') response.end('{"items":[{"index":{"_index":"logs","status":201}}]}');
      else if (headers.authorization === `Basic ${SECRETS.basic}`)
        response.end('{"nodes":{"id-1":{"name":"n1"}}}');
      else response.writeHead(401).end('Unauthorized');
    });
    await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => agent?.stop('SIGKILL'));
  afterAll(async () => {
    node.closeAllConnections();
    await new Promise((resolve) => node.close(resolve));
    await redis.stop();
    rmSync(directory, { recursive: true });
  });

  async function start(name: string, env: Readonly<Record<string, string>>): Promise<void> {
    const port = await freePort();
    agent = runningService({
      ...{ name, port, logPath: join(directory, `${name}.log`) },
      command: [process.execPath, join(ROOT, 'packages/datanode/dist/main.js')],
      env: {
        WEIR_ENGINE: 'opensearch',
        WEIR_OPENSEARCH_URLS: `https://127.0.0.1:${(node.address() as AddressInfo).port}`,
        WEIR_REDIS_URL: redis.url,
        WEIR_HTTP_PORT: String(port),
        WEIR_DATA_DIR: join(directory, name),
        WEIR_LOG_LEVEL: 'debug',
        ...env,
      },
      isReady: async () =>
        (await fetch(`http://127.0.0.1:${port}/livez`).catch(() => undefined))?.ok === true,
    });
    calls = httpCalls(agent.origin);
    await agent.start();
  }

  const problem = async (): Promise<string> =>
    ((await calls.ask('/readyz?verbose')).body as { checks: { node: { reason?: string } } }).checks.node
      .reason ?? '';

  it('reads with its own, passes those of clients on, and shows its own to nobody', async () => {
    await start('right', {
      WEIR_OPENSEARCH_USERNAME: 'weir',
      WEIR_OPENSEARCH_PASSWORD: SECRETS.password,
      WEIR_OPENSEARCH_CA_FILE: certificate.certPath,
    });
    await eventually(async () => (await calls.ask('/readyz')).status === 200);
    const frame = encodeShardBulk(admittedPrimary([indexOperation('1', {})]), []);
    const response = await fetch(agent.origin + INTERNAL_PATHS.bulk, {
      method: 'POST',
      headers: { authorization: CLIENT },
      body: new Uint8Array(frame),
    });
    const answer = decodeShardBulkAnswer(Buffer.from(await response.arrayBuffer()));
    expect(answer).toMatchObject({ outcome: 'applied', status: 200 });
    expect(new Set(shown.map(([path, given]) => `${path} ${given}`))).toEqual(
      new Set([`/_nodes/_local/stats/os,jvm,thread_pool,fs Basic ${SECRETS.basic}`, `/_bulk ${CLIENT}`]),
    );
    for (const path of ['/readyz?verbose', '/metrics', '/_nodes/_local/stats'])
      expectNoSecret((await calls.ask(path)).text);
    await agent.stop();
    expect(agent.output()).toContain('"weir.opensearch.password":"[redacted]"');
    expectNoSecret(agent.output());
  }, 60_000);

  it.each([
    ['wrong', { WEIR_OPENSEARCH_API_KEY: 'd3Jvbmc=' }, 'status 401, the credentials of weir.opensearch'],
    ['untrusted', { WEIR_OPENSEARCH_CA_FILE: '' }, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ])(
    'is not ready with %s ones, and says why',
    async (name, env, reason) => {
      await start(name, { WEIR_OPENSEARCH_CA_FILE: certificate.certPath, ...env });
      expect(await problem()).toContain(reason);
      expect((await calls.ask('/readyz')).status).toBe(503);
      expect(agent.output()).not.toContain('d3Jvbmc=');
    },
    60_000,
  );
});

function expectNoSecret(text: string): void {
  for (const secret of [SECRETS.password, SECRETS.basic, CLIENT]) expect(text).not.toContain(secret);
}
