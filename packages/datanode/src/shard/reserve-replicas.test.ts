import { describe, expect, it } from '@jest/globals';
import { buildEffectiveSettings, type HttpCall, INTERNAL_PATHS, type Mode, WeirError } from '@weir/shared';
import { ManualClock } from '@weir/shared/testing';
import { shardRequest } from '../testing/requests.ts';
import type { Admitted } from './admitted.ts';
import { type JudgedRequest, judged } from './judged-request.ts';
import { withPermits } from './reserve-replicas.ts';

type Reserve = 'auto' | 'always' | 'never';

const granted = (permit: string) => ({ outcome: 'granted', permit });
const refused = {
  outcome: 'refused',
  permanent: false,
  decisionId: 'd',
  evidence: {
    ...{ reason: 'replica_limit', role: 'replica', node: 'dn3', signal: 'queue', value: 700, limit: 600 },
    ...{ stress: 0.5, ageMs: 0, retryAfterMs: 1_000 },
  },
};

/** A primary's node with replicas at `a` and `b`, of which `calm` are known to be calm. */
function scene(
  answers: Readonly<Record<string, object>>,
  calm: readonly string[] = [],
  reserve: Reserve = 'auto',
  mode: Mode = 'enforced',
) {
  const calls: string[] = [];
  const persistent = new Map([['weir.admission.mode', mode]]);
  const inForce = buildEffectiveSettings({ persistent, transient: new Map(), file: new Map() }, 1).settings;
  const settings = {
    ...inForce,
    replication: { ...inForce.replication, reserve },
  };
  const ports = {
    clock: new ManualClock(),
    settings: () => settings,
    headers: {},
    peer: (id: string) => (id === 'gone' ? undefined : { address: `http://${id}` }),
    isCalm: (id: string) => calm.includes(id),
    http: {
      async call({ origin, path, body }: HttpCall) {
        const id = origin.slice('http://'.length);
        const isReserve = path === INTERNAL_PATHS.reserve;
        const { permit = '' } = JSON.parse(String(body)) as { permit?: string };
        calls.push(isReserve ? `reserve at ${id}` : `release ${permit} at ${id}`);
        const answer = isReserve ? answers[id] : {};
        if (answer instanceof WeirError) throw answer;
        return { status: 200, body: Buffer.from(JSON.stringify(answer ?? 'nonsense')) };
      },
      async close() {},
    },
  };
  const request: JudgedRequest = judged(shardRequest({}));
  const run = (nodes: readonly string[], write: () => Promise<string> = async () => 'written') =>
    withPermits(request as Admitted<JudgedRequest>, nodes, 10_000, ports, (permits) => {
      calls.push(`write with ${[...permits.values()].join(',') || 'none'}`);
      return write();
    });
  return { run, calls };
}

describe('permits for the parts of replicas', () => {
  it('are asked of all nodes not known to be calm, before the write, and given back after it', async () => {
    const { run, calls } = scene({ a: granted('pa'), b: granted('pb') }, ['b']);
    expect(await run(['a', 'b'])).toBe('written');
    expect(calls).toEqual(['reserve at a', 'write with pa', 'release pa at a']);
  });

  it('are asked always or never where the setting says so', async () => {
    const always = scene({ a: granted('pa'), b: granted('pb') }, ['a', 'b'], 'always');
    await always.run(['a', 'b']);
    expect(always.calls).toContain('write with pa,pb');
    const never = scene({}, [], 'never');
    await never.run(['a', 'b']);
    expect(never.calls).toEqual(['write with none']);
  });

  it('are asked of nobody while every signal is disabled, as no node is known to be calm then', async () => {
    const { run, calls } = scene({ a: granted('pa') }, [], 'auto', 'disabled');
    await run(['a']);
    expect(calls).toEqual(['write with none']);
  });

  it('refuse the whole write when one is refused, before it had any effect, and those given go back', async () => {
    const { run, calls } = scene({ a: granted('pa'), b: refused });
    expect(await run(['a', 'b'])).toEqual(refused);
    expect(calls).toEqual(['reserve at a', 'reserve at b', 'release pa at a']);
  });

  it('go back when the write fails', async () => {
    const { run, calls } = scene({ a: granted('pa') });
    await expect(run(['a'], () => Promise.reject(new Error('disk')))).rejects.toThrow('disk');
    expect(calls.at(-1)).toBe('release pa at a');
  });

  it('are no condition where a node is not there, cannot be reached or talks nonsense', async () => {
    const { run, calls } = scene({ a: new WeirError('bad_gateway', 'ECONNREFUSED') });
    expect(await run(['a', 'b', 'gone'])).toBe('written');
    expect(calls).toEqual(['reserve at a', 'reserve at b', 'write with none']);
  });
});
