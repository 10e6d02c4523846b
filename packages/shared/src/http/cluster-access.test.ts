import { describe, expect, it } from '@jest/globals';
import express from 'express';
import type { Access } from '../ops/base-config.ts';
import { accessHeaders, clusterAccess, SECRET_HEADER, withClusterAccess } from './cluster-access.ts';
import { errorHandler, route, routerOf } from './route-table.ts';
import { serve } from './serve.ts';

const SECRET = '0123456789abcdef';

/** What a guarded route answers to a request with these headers. */
async function ask(access: Access, headers: Record<string, string>) {
  const app = express();
  app.use(
    '/_weir/internal',
    clusterAccess(access),
    (_request, response) => void response.json({ passed: true }),
  );
  app.use(errorHandler(() => {}));
  const listening = await serve(app, { host: '127.0.0.1', port: 0 });
  try {
    const response = await fetch(`${listening.origin}/_weir/internal/primary`, { method: 'POST', headers });
    return {
      status: response.status,
      body: (await response.json()) as { error?: { type: string; reason: string } },
    };
  } finally {
    await listening.stop(0);
  }
}

const access = (given: Partial<Access>): Access => ({
  secret: undefined,
  insecure: false,
  loopbackOnly: false,
  ...given,
});

describe('access to the routes of the cluster', () => {
  it('is open on loopback without a secret', async () => {
    expect((await ask(access({ loopbackOnly: true }), {})).status).toBe(200);
  });

  it('is closed to everyone beyond loopback without a secret, and says how to open it', async () => {
    const { status, body } = await ask(access({}), { [SECRET_HEADER]: '' });
    expect(status).toBe(403);
    expect(body.error?.type).toBe('security_exception');
    expect(body.error?.reason).toMatch(/WEIR_CLUSTER_SECRET or --insecure/);
  });

  it('is open beyond loopback when --insecure says so', async () => {
    expect((await ask(access({ insecure: true }), {})).status).toBe(200);
  });

  it.each([{ loopbackOnly: true }, { insecure: true }, {}])(
    'asks for a configured secret always (%j)',
    async (given) => {
      const guarded = access({ ...given, secret: SECRET });
      expect((await ask(guarded, {})).status).toBe(403);
      expect((await ask(guarded, { [SECRET_HEADER]: 'wrong' })).status).toBe(403);
      expect((await ask(guarded, { [SECRET_HEADER]: `${SECRET}x` })).status).toBe(403);
      expect((await ask(guarded, accessHeaders(guarded))).status).toBe(200);
    },
  );

  it('guards one handler of a route table the same way', async () => {
    const handle = withClusterAccess(
      access({ secret: SECRET }),
      (_request, response) => void response.json({}),
    );
    const app = express();
    app.use(routerOf([route('PUT', '/_cluster/settings', handle)]));
    app.use(errorHandler(() => {}));
    const listening = await serve(app, { host: '127.0.0.1', port: 0 });
    const put = (headers: Record<string, string>) =>
      fetch(`${listening.origin}/_cluster/settings`, { method: 'PUT', headers }).then(({ status }) => status);
    expect([await put({}), await put({ [SECRET_HEADER]: SECRET })]).toEqual([403, 200]);
    await listening.stop(0);
  });

  it('never shows the secret it expects', async () => {
    const { body } = await ask(access({ secret: SECRET }), { [SECRET_HEADER]: 'wrong' });
    expect(JSON.stringify(body)).not.toContain(SECRET);
  });

  it('sends no header where there is no secret', () => {
    expect(accessHeaders(access({}))).toEqual({});
  });
});
