import { describe, expect, it } from '@jest/globals';
import { WeirError } from '@weir/shared';
import { ManualClock, settle } from '@weir/shared/testing';
import { RECORDED_STATS } from '../testing/recorded-node-stats.ts';
import { agentReadiness } from './agent-readiness.ts';
import { NodePoller } from './node-poller.ts';

const silent = new WeirError('gateway_timeout', 'no answer within 2000 ms', { fields: { sent: true } });

/** A poller whose node answers, or fails, as the test says last. */
async function start() {
  const clock = new ManualClock();
  const said: { answer: unknown } = { answer: RECORDED_STATS };
  const warnings: unknown[] = [];
  const read = async (): Promise<unknown> => {
    if (said.answer instanceof Error) throw said.answer;
    return said.answer;
  };
  const poller = new NodePoller({
    ...{ node: { read }, clock, timers: clock },
    warn: (_message, fields) => warnings.push(fields),
  });
  const pass = async (ms: number): Promise<void> => {
    for (let left = ms; left > 0; left -= 1_000) {
      clock.advance(1_000);
      await settle();
    }
  };
  await poller.start();
  return { poller, said, pass, warnings };
}

const readinessOf = (poller: NodePoller) =>
  agentReadiness({
    nodeKnown: poller.identity() !== undefined,
    nodeIsThere: poller.isThere,
    problem: poller.problem,
    draining: false,
    busUp: true,
  });

describe('what an agent knows of its node', () => {
  it('is unknown three seconds after the last answer of one that takes questions and never answers', async () => {
    const { poller, said, pass, warnings } = await start();
    expect(poller.figures()).toMatchObject({ name: 'n1' });
    said.answer = silent;
    await pass(3_000);
    expect(poller.figures()).toMatchObject({ name: 'n1' });
    await pass(1_000);
    expect([poller.figures(), poller.isThere]).toEqual([undefined, true]);
    expect(warnings.at(-1)).toEqual({ reason: 'no answer within 2000 ms' });
    expect(readinessOf(poller)).toMatchObject({
      ready: true,
      checks: { node: { status: 'degraded', reason: expect.stringContaining('no answer within 2000 ms') } },
    });
    said.answer = RECORDED_STATS;
    await pass(1_000);
    expect(poller.figures()).toMatchObject({ name: 'n1' });
    expect(readinessOf(poller).checks['node']).toEqual({ status: 'ok' });
  });

  it('is nothing, and the agent is not ready, beside one that never answered', async () => {
    const clock = new ManualClock();
    const poller = new NodePoller({
      ...{ node: { read: () => Promise.reject(silent) }, clock, timers: clock },
      warn: () => undefined,
    });
    await poller.start();
    expect([poller.identity(), poller.figures(), poller.isThere]).toEqual([undefined, undefined, false]);
    expect(readinessOf(poller)).toMatchObject({ ready: false, checks: { node: { status: 'failed' } } });
  });

  it('is that it is gone as soon as nothing takes connections there', async () => {
    const { poller, said, pass } = await start();
    const changes: boolean[] = [];
    poller.onChange(() => changes.push(poller.isThere));
    said.answer = new WeirError('bad_gateway', 'ECONNREFUSED', { fields: { sent: false } });
    await pass(1_000);
    expect([poller.figures(), poller.isThere]).toEqual([undefined, false]);
    said.answer = RECORDED_STATS;
    await pass(1_000);
    expect(changes).toEqual([false, true]);
  });

  it('stays what it was where an answer holds no stats', async () => {
    const { poller, said, pass } = await start();
    said.answer = { nodes: {} };
    await pass(1_000);
    expect(poller.problem).toBe('the answer holds no node stats');
    expect(poller.identity()).toMatchObject({ name: 'n1' });
  });
});
