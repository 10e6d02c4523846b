import type { RequestListener } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { systemClock, systemTimers, type Timers, WeirError } from '@weir/shared';
import { ManualClock } from '@weir/shared/testing';
import { deadOrigin, startServer } from '../testing/proxied.ts';
import { checkUpstream } from './check-upstream.ts';
import { Upstream } from './upstream.ts';

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

async function listen(listener: RequestListener): Promise<string> {
  const { origin, server } = await startServer(listener);
  stops.push(() => new Promise((resolve) => server.close(resolve)));
  return origin;
}

/** A server that answers `GET /` so. */
const root = (version: object, uuid = 'u') =>
  listen((_incoming, response) =>
    response.end(JSON.stringify({ cluster_name: `cluster-${uuid}`, cluster_uuid: uuid, version })),
  );

async function check(origins: readonly string[], authorization?: string, timers: Timers = systemTimers) {
  const upstream = new Upstream({ origins, authorization, ca: undefined }, { clock: systemClock, timers });
  try {
    return await checkUpstream(upstream);
  } catch (thrown) {
    if (thrown instanceof WeirError && thrown.code === 'config') return thrown.message;
    throw thrown;
  } finally {
    await upstream.close();
  }
}

describe('the start in front of a cluster', () => {
  it.each([
    [{ distribution: 'opensearch', number: '2.19.6' }, 'OpenSearch', '2.19.6'],
    [{ distribution: 'opensearch', number: '1.0.0' }, 'OpenSearch', '1.0.0'],
    [{ distribution: 'opensearch', number: '3.9.0-SNAPSHOT' }, 'OpenSearch', '3.9.0-SNAPSHOT'],
    [{ build_flavor: 'oss', number: '7.10.2' }, 'Elasticsearch', '7.10.2'],
    [{ build_flavor: 'default', number: '9.1.0' }, 'Elasticsearch', '9.1.0'],
  ])('takes %j', async (version, product, number) => {
    expect(await check([await root(version)])).toEqual({
      clusterName: 'cluster-u',
      product,
      version: number,
      unreachable: [],
    });
  });

  it.each([
    [{ number: '7.9.3' }, 'is Elasticsearch 7.9.3, Weir needs Elasticsearch 7.10 or newer'],
    [{ number: '6.8.0' }, 'is Elasticsearch 6.8.0'],
    [
      { distribution: 'opensearch', number: '0.9.0' },
      'is OpenSearch 0.9.0, Weir needs OpenSearch 1.0 or newer',
    ],
    [{ number: 'seven' }, 'is Elasticsearch seven'],
  ])('refuses %j', async (version, message) => {
    expect(await check([await root(version)])).toContain(message);
  });

  it('says in one line that nobody is there', async () => {
    const origin = await deadOrigin();
    expect(await check([origin])).toBe(
      `weir.opensearch.urls: [${origin}] cannot be reached (ECONNREFUSED): is OpenSearch running there?`,
    );
  });

  it('says in one line that it takes the question and never answers', async () => {
    const patience = new ManualClock();
    const origin = await listen(() => patience.advance(5_000));
    expect(await check([origin], undefined, patience)).toBe(
      `weir.opensearch.urls: [${origin}] does not answer within 5000 ms`,
    );
  });

  it('says in one line that the credentials are refused, without showing them', async () => {
    const origin = await listen((_incoming, response) => response.writeHead(401).end('Unauthorized'));
    const message = await check([origin], 'Basic c2VjcmV0');
    expect(message).toBe(
      `weir.opensearch.urls: [${origin}] refuses the credentials (status 401): see weir.opensearch.username, .password and .api_key`,
    );
  });

  it('sends its own credentials', async () => {
    const seen: unknown[] = [];
    const origin = await listen((incoming, response) => {
      seen.push(incoming.headers.authorization);
      response.writeHead(401).end();
    });
    await check([origin], 'ApiKey a2V5');
    expect(seen).toEqual(['ApiKey a2V5']);
  });

  it.each(['<html>nginx</html>', '{}', '[]', '{"version":"2"}'])(
    'knows that %s is no OpenSearch',
    async (body) => {
      const origin = await listen((_incoming, response) => response.end(body));
      expect(await check([origin])).toContain(`[${origin}] does not answer like OpenSearch`);
    },
  );

  it('knows that http is not spoken there', async () => {
    const origin = await listen((incoming) => incoming.socket.end('SSH-2.0-OpenSSH\r\n'));
    expect(await check([origin])).toMatch(/does not speak http \(HTTPParserError\): is it https\?/);
    const https = origin.replace('http:', 'https:');
    expect(await check([https])).toMatch(/does not speak https \(\w+\): is it http\?/);
  });

  it('starts with the addresses that answer, and names the others', async () => {
    const dead = await deadOrigin();
    const identity = await check([dead, await root({ distribution: 'opensearch', number: '2.19.6' })]);
    expect(identity).toMatchObject({
      version: '2.19.6',
      unreachable: [expect.stringContaining(`[${dead}] cannot be reached`)],
    });
  });

  it('refuses addresses of different clusters', async () => {
    const version = { distribution: 'opensearch', number: '2.19.6' };
    expect(await check([await root(version, 'a'), await root(version, 'b')])).toContain(
      'belong to different clusters, [cluster-a] and [cluster-b]',
    );
  });
});
