import { describe, expect, it } from '@jest/globals';
import { WeirError } from '@weir/shared';
import { ManualClock, settle } from '@weir/shared/testing';
import { type Answers, N1, N2, recordedAnswers } from '../testing/recorded-cluster.ts';
import { ALIASES_PATH, NODES_HTTP_PATH, STATE_PATH, STATE_VERSION_PATH } from './cluster-state.ts';
import { OpenSearchTopology } from './opensearch-topology.ts';

/** What is due gets its answer before more time passes. */
const STEP_MS = 50;

class RecordedUpstream {
  readonly asked: string[] = [];
  answers: Answers = recordedAnswers();
  down = false;

  async read<Schema extends { parse(value: unknown): unknown }>(
    path: string,
    schema: Schema,
  ): Promise<never> {
    this.asked.push(path);
    if (this.down) throw new WeirError('bad_gateway', 'GET /x: ECONNREFUSED');
    const { state, aliases, nodes_http } = this.answers;
    const body = {
      [STATE_VERSION_PATH]: state,
      [STATE_PATH]: state,
      [ALIASES_PATH]: aliases,
      [NODES_HTTP_PATH]: nodes_http,
    }[path];
    return schema.parse(body) as never;
  }

  /** The cluster's state becomes another one. */
  change(to: (state: Answers['state']) => void): void {
    const state = this.answers.state as unknown as { version: number; state_uuid: string };
    state.version += 1;
    state.state_uuid = `uuid-${state.version}`;
    to(this.answers.state);
  }
}

async function start() {
  const upstream = new RecordedUpstream();
  const clock = new ManualClock();
  const warnings: { message: string; fields: unknown }[] = [];
  const topology = new OpenSearchTopology({
    upstream,
    clock,
    timers: clock,
    agentAddress: (id) => (id === N1 ? 'http://127.0.0.1:9301' : undefined),
    warn: (message, fields) => warnings.push({ message, fields }),
  });
  const pass = async (ms: number): Promise<void> => {
    for (let left = ms; left >= 0; left -= STEP_MS) {
      clock.advance(Math.min(left, STEP_MS));
      await settle();
    }
  };
  return { upstream, clock, warnings, topology, pass };
}

const resolved = (topology: OpenSearchTopology, index: string) =>
  topology.resolve({ index, routing: undefined, pipeline: undefined, requireAlias: false });

describe('topology of an OpenSearch cluster', () => {
  it('is unknown before the first answer, and says so', async () => {
    const { topology, upstream, warnings } = await start();
    upstream.down = true;
    await topology.start();
    expect(topology.status()).toEqual({
      known: false,
      ageMs: undefined,
      version: undefined,
      problem: 'GET /x: ECONNREFUSED',
    });
    expect(resolved(topology, 'logs4')).toMatchObject({ kind: 'unsplit', reason: 'topology_unknown' });
    expect([topology.indices(), topology.nodes()]).toEqual([[], []]);
    expect(warnings).toHaveLength(1);
  });

  it('gives indices, and nodes with the addresses of their agents', async () => {
    const { topology } = await start();
    await topology.start();
    expect(topology.index('logs4')?.number_of_shards).toBe(4);
    expect(topology.index('logs')).toBeUndefined();
    expect(topology.node(N1)).toEqual({ id: N1, name: 'n1', address: 'http://127.0.0.1:9301' });
    expect(topology.node(N2)).toEqual({ id: N2, name: 'n2', address: '' });
    expect(topology.httpAddress(N2)).toBe('127.0.0.1:44703');
    expect(topology.node('gone')).toBeUndefined();
    expect(resolved(topology, 'logs')).toMatchObject({ kind: 'index', metadata: { name: 'logs4' } });
    await expect(topology.ensureIndex('new')).rejects.toMatchObject({ code: 'index_not_found' });
  });

  it('asks every second whether the state changed, and reads it only when it did', async () => {
    const { topology, upstream, pass } = await start();
    await topology.start();
    upstream.asked.splice(0);
    await pass(3_000);
    expect(upstream.asked).toEqual([STATE_VERSION_PATH, STATE_VERSION_PATH, STATE_VERSION_PATH]);
    upstream.change((state) => delete state['metadata']?.['indices']?.['ro']);
    await pass(1_000);
    expect(upstream.asked.slice(3).sort()).toEqual(
      [STATE_VERSION_PATH, STATE_PATH, ALIASES_PATH, NODES_HTTP_PATH].sort(),
    );
    expect(topology.index('ro')).toBeUndefined();
    topology.stop();
    await pass(10_000);
    expect(upstream.asked).toHaveLength(7);
  });

  it('reads anew after a state of the same version that another cluster manager made', async () => {
    const { topology, upstream, pass } = await start();
    await topology.start();
    Object.assign(upstream.answers.state, { state_uuid: 'another' });
    delete upstream.answers.state['metadata']?.['indices']?.['ro'];
    await pass(1_000);
    expect(topology.index('ro')).toBeUndefined();
  });

  it('looks at once when an answer showed that the picture is old, and not once per answer', async () => {
    const { topology, upstream, pass } = await start();
    await topology.start();
    await pass(500);
    upstream.asked.splice(0);
    upstream.change((state) => delete state['metadata']?.['indices']?.['ro']);
    for (let count = 0; count < 50; count += 1) topology.refreshSoon();
    await pass(0);
    expect(topology.index('ro')).toBeUndefined();
    expect(upstream.asked.filter((path) => path === STATE_VERSION_PATH)).toHaveLength(1);
    topology.refreshSoon();
    await pass(50);
    expect(upstream.asked.filter((path) => path === STATE_VERSION_PATH)).toHaveLength(1);
    await pass(50);
    expect(upstream.asked.filter((path) => path === STATE_VERSION_PATH)).toHaveLength(2);
  });

  it('keeps the last picture while OpenSearch does not answer, and tells its age', async () => {
    const { topology, upstream, pass, warnings } = await start();
    await topology.start();
    upstream.down = true;
    await pass(5_500);
    expect(topology.index('logs4')).toBeDefined();
    expect(topology.status()).toMatchObject({ known: true, ageMs: 5_500, problem: 'GET /x: ECONNREFUSED' });
    expect(warnings.at(-1)?.fields).toEqual({ reason: 'GET /x: ECONNREFUSED', age_ms: 5_000 });
    upstream.down = false;
    await pass(500);
    expect(topology.status()).toMatchObject({ ageMs: 0, problem: undefined });
  });
});
