import { afterEach, describe, expect, it } from '@jest/globals';
import { systemClock, systemTimers } from '@weir/shared';
import { startServer } from '../testing/proxied.ts';
import { Upstream } from './upstream.ts';

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

async function listen(...[listener]: Parameters<typeof startServer>): Promise<string> {
  const { origin, server } = await startServer(listener);
  stops.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return origin;
}

const QUESTION = { method: 'GET', path: '/', headers: [], body: undefined, timeoutMs: 200 };

describe('the client to a cluster', () => {
  it('asks a node that accepts and never answers last, once it has found it out', async () => {
    const stuck = await listen(() => undefined);
    const sound = await listen((_request, response) => void response.end('{}'));
    const upstream = new Upstream(
      { origins: [stuck, sound], authorization: undefined, ca: undefined },
      { clock: systemClock, timers: systemTimers },
    );
    stops.push(() => upstream.close());
    const outcomes: string[] = [];
    for (let turn = 0; turn < 6; turn += 1)
      await upstream.ask(QUESTION).then(
        () => outcomes.push('answered'),
        ({ code }) => outcomes.push(code),
      );
    expect(outcomes.filter((outcome) => outcome === 'gateway_timeout')).toHaveLength(1);
  });
});
