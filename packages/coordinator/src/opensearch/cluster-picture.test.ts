import { describe, expect, it } from '@jest/globals';
import { N1, N2, pictureOf, recordedAnswers } from '../testing/recorded-cluster.ts';

describe('picture of a cluster, from its recorded state', () => {
  const picture = pictureOf(recordedAnswers());

  it('knows the nodes by id, with their names and HTTP addresses', () => {
    expect([...picture.nodes.values()]).toEqual([
      { id: N2, name: 'n2', httpAddress: '127.0.0.1:44703' },
      { id: N1, name: 'n1', httpAddress: '127.0.0.1:40955' },
    ]);
  });

  it('knows where the copies of each shard are, and by which rule documents find their shard', () => {
    const { metadata } = picture.indices.get('logs4') ?? {};
    expect(metadata).toMatchObject({
      name: 'logs4',
      uuid: '_bXmftbmRmqqHqJ73Ej0kg',
      number_of_shards: 4,
      number_of_replicas: 1,
      routing_num_shards: 1024,
      routing_partition_size: 1,
    });
    expect(metadata?.shards.map(({ primary }) => primary?.node)).toEqual([N1, N2, N1, N2]);
    expect(metadata?.shards.map(({ replicas }) => replicas.map(({ node }) => node))).toEqual([
      [N2],
      [N1],
      [N2],
      [N1],
    ]);
    expect(picture.indices.get('part')?.metadata).toMatchObject({
      routing_num_shards: 16,
      routing_partition_size: 3,
    });
  });

  it('has no primary where OpenSearch has none, and no replica that is not started', () => {
    expect(picture.indices.get('lost')?.metadata.shards.map(({ primary }) => primary)).toEqual([null, null]);
    const answers = recordedAnswers();
    const copies = answers.state['routing_table']?.['indices']?.['logs4']?.['shards']?.['0'] as unknown as {
      state: string;
      node: string | null;
    }[];
    Object.assign(copies[1] ?? {}, { state: 'INITIALIZING' });
    expect(pictureOf(answers).indices.get('logs4')?.metadata.shards[0]?.replicas).toEqual([]);
    Object.assign(copies[1] ?? {}, { state: 'UNASSIGNED', node: null });
    expect(pictureOf(answers).indices.get('logs4')?.metadata.shards[0]?.replicas).toEqual([]);
  });

  it('leaves a relocating copy where it still serves', () => {
    const answers = recordedAnswers();
    const copies = answers.state['routing_table']?.['indices']?.['logs4']?.['shards']?.['0'] as unknown as {
      state: string;
    }[];
    Object.assign(copies[0] ?? {}, { state: 'RELOCATING', relocating_node: 'somewhere' });
    expect(pictureOf(answers).indices.get('logs4')?.metadata.shards[0]?.primary?.node).toBe(N1);
  });

  it('finds the index an alias writes to: the only one, or the one that says so', () => {
    const { aliases } = picture;
    expect(aliases.get('logs')).toEqual({ writeIndex: 'logs4', writeRouting: undefined });
    expect(aliases.get('w')).toEqual({ writeIndex: 'w2', writeRouting: 'r1' });
    expect(aliases.get('two')).toEqual({ writeIndex: undefined, writeRouting: undefined });
    expect(aliases.get('ir')).toEqual({ writeIndex: 'w2', writeRouting: 'x' });
  });

  it('writes to no single index that says it is not for writing', () => {
    const answers = recordedAnswers();
    answers.aliases = JSON.parse('{"w1":{"aliases":{"w":{"is_write_index":false}}}}');
    expect(pictureOf(answers).aliases.get('w')?.writeIndex).toBeUndefined();
  });

  it('knows what keeps an index from plain writes', () => {
    const { indices } = picture;
    expect(indices.get('shut')).toMatchObject({ open: false });
    expect(indices.get('ro')).toMatchObject({ open: true, blocked: true });
    expect(indices.get('piped')).toMatchObject({ defaultPipeline: 'p1', finalPipeline: undefined });
    expect(indices.get('finally')).toMatchObject({ defaultPipeline: undefined, finalPipeline: 'p2' });
    expect(indices.get('w2')).toMatchObject({ defaultPipeline: undefined, blocked: false, ownRules: false });
    expect(picture.dataStreams.get('ds-logs')).toBe('.ds-ds-logs-000001');
  });

  it('is empty, not wrong, for a cluster without indices', () => {
    const answers = recordedAnswers();
    const { metadata, routing_table, ...bare } = answers.state;
    const empty = pictureOf({ ...answers, state: bare, aliases: {} });
    expect([empty.indices.size, empty.aliases.size, empty.nodes.size]).toEqual([0, 0, 2]);
  });

  it('takes a node by the name it publishes, which its certificate is made for', () => {
    const answers = recordedAnswers();
    answers.nodes_http = JSON.parse(
      `{"nodes":{"${N1}":{"http":{"publish_address":"os-1.example/10.0.0.1:9200"}},"${N2}":{}}}`,
    );
    const { nodes } = pictureOf(answers);
    expect(nodes.get(N1)?.httpAddress).toBe('os-1.example:9200');
    expect(nodes.get(N2)?.httpAddress).toBeUndefined();
  });
});
