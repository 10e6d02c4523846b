import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import express from 'express';
import type { WeirError } from '../ops/errors.ts';
import { errorHandler, noHandler, route, routerOf } from './route-table.ts';
import { type Listening, serve } from './serve.ts';

let listening: Listening;
const reported: WeirError[] = [];

beforeAll(async () => {
  const app = express();
  app.use(
    routerOf([
      route(['POST', 'PUT'], '/_bulk', (_request, response) => void response.json({ ok: true })),
      route('GET', '/:index', (request, response) => void response.json({ index: request.params['index'] })),
      route('GET', '/_fail/now', () => Promise.reject(new Error('inside'))),
    ]),
  );
  app.use(noHandler);
  app.use(errorHandler((error) => reported.push(error)));
  listening = await serve(app, { host: '127.0.0.1', port: 0 });
});
afterAll(() => listening.stop(100));

const ask = async (method: string, path: string) => {
  const response = await fetch(listening.origin + path, { method });
  return { status: response.status, allow: response.headers.get('allow'), body: await response.text() };
};

describe('routes', () => {
  it('answer another method on a known path with 405, the allowed methods and JSON', async () => {
    const { status, allow, body } = await ask('DELETE', '/_bulk');
    expect([status, allow, JSON.parse(body).error.type]).toEqual([
      405,
      'POST, PUT',
      'method_not_allowed_exception',
    ]);
  });

  it('answer an unknown path with a JSON error that names it', async () => {
    const { status, body } = await ask('GET', '/a/b/c');
    expect(status).toBe(400);
    expect(JSON.parse(body)).toMatchObject({
      status: 400,
      error: { reason: 'no handler found for uri [/a/b/c] and method [GET]' },
    });
  });

  it('take no index to be meant by an unknown API, whatever its method', async () => {
    const { status, body } = await ask('POST', '/_msearch');
    expect(status).toBe(400);
    expect(JSON.parse(body).error.reason).toBe('no handler found for uri [/_msearch] and method [POST]');
  });

  it('answer HEAD like GET without a body', async () => {
    expect(await ask('HEAD', '/x')).toMatchObject({ status: 200, body: '' });
  });

  it('keep an encoded slash inside its segment', async () => {
    expect(JSON.parse((await ask('GET', '/a%2Fb')).body)).toEqual({ index: 'a/b' });
  });

  it('answer a path that is not valid percent-encoding with 400', async () => {
    expect((await ask('GET', '/%zz')).status).toBe(400);
  });

  it('report what is our own fault and still answer JSON', async () => {
    const { status, body } = await ask('GET', '/_fail/now');
    expect([status, JSON.parse(body).error.type]).toEqual([500, 'internal_error_exception']);
    expect(reported.map((error) => error.message)).toContain('inside');
  });
});
