import { describe, expect, it } from '@jest/globals';
import type { Addressed } from '../cluster/topology.ts';
import { pictureOf, recordedAnswers } from '../testing/recorded-cluster.ts';
import { resolveTarget } from './resolve-target.ts';

const picture = pictureOf(recordedAnswers());

function resolve(index: string, said: Partial<Addressed> = {}) {
  const action = { index, routing: undefined, pipeline: undefined, requireAlias: false, ...said };
  const target = resolveTarget(picture, action);
  if (target.kind === 'index') return { index: target.metadata.name, routing: target.routing };
  return target.kind === 'unsplit' ? { pass: target.reason, likely: target.likely?.name } : {};
}

describe('where an action goes', () => {
  it('an index is itself, with the routing that was given; an empty one is none', () => {
    expect(resolve('logs4')).toEqual({ index: 'logs4', routing: undefined });
    expect(resolve('logs4', { routing: 'a' })).toEqual({ index: 'logs4', routing: 'a' });
    expect(resolve('logs4', { routing: '' })).toEqual({ index: 'logs4', routing: undefined });
    expect(resolve('.ds-ds-logs-000001')).toMatchObject({ index: '.ds-ds-logs-000001' });
  });

  it('an alias is the index it writes to, with the routing of the alias', () => {
    expect(resolve('logs', { requireAlias: true })).toEqual({ index: 'logs4', routing: undefined });
    expect(resolve('w')).toEqual({ index: 'w2', routing: 'r1' });
    expect(resolve('w', { routing: 'r1' })).toEqual({ index: 'w2', routing: 'r1' });
    expect(resolve('filtered', { routing: 'q' })).toEqual({ index: 'w2', routing: 'q' });
  });

  it('an alias that contradicts the given routing is left to OpenSearch to complain of', () => {
    expect(resolve('w', { routing: 'other' })).toEqual({ pass: 'alias_routing', likely: 'w2' });
  });

  it('an alias with several routing values takes no writes', () => {
    const answers = recordedAnswers();
    answers.aliases = JSON.parse('{"logs4":{"aliases":{"many":{"index_routing":"a,b"}}}}');
    const said = { index: 'many', routing: undefined, pipeline: undefined, requireAlias: false };
    expect(resolveTarget(pictureOf(answers), said)).toMatchObject({
      kind: 'unsplit',
      reason: 'alias_routing',
    });
  });

  it.each([
    ['two', 'no_write_index', undefined],
    ['never-seen', 'unknown_index', undefined],
    ['<logs-{now/d}>', 'date_math', undefined],
    ['ds-logs', 'data_stream', '.ds-ds-logs-000001'],
    ['shut', 'closed', 'shut'],
    ['ro', 'blocked', 'ro'],
    ['piped', 'pipeline', 'piped'],
    ['finally', 'pipeline', 'finally'],
  ])('%s goes on unsplit: %s', (index, pass, likely) => {
    expect(resolve(index)).toEqual({ pass, likely });
  });

  it('a pipeline that the request names is left to OpenSearch, also _none, which takes the default one away', () => {
    expect(resolve('logs4', { pipeline: 'p' })).toEqual({ pass: 'pipeline', likely: 'logs4' });
    for (const index of ['logs4', 'piped', 'finally'])
      expect(resolve(index, { pipeline: '_none' })).toEqual({ pass: 'pipeline', likely: index });
    expect(resolve('w2')).toMatchObject({ index: 'w2' });
  });

  it('a name that has to be an alias and is none is left to OpenSearch', () => {
    expect(resolve('logs4', { requireAlias: true })).toEqual({ pass: 'require_alias', likely: 'logs4' });
    expect(resolve('never-seen', { requireAlias: true })).toMatchObject({ pass: 'require_alias' });
  });

  it.each([
    { number_of_virtual_shards: '20' },
    { append_only: { enabled: 'true' } },
    { routing_path: ['host'] },
  ])('an index with %j places or names documents by its own rules', (setting) => {
    const answers = recordedAnswers();
    Object.assign(answers.state['metadata']?.['indices']?.['logs4']?.['settings']?.['index'] ?? {}, setting);
    const said = { index: 'logs4', routing: undefined, pipeline: undefined, requireAlias: false };
    expect(resolveTarget(pictureOf(answers), said)).toMatchObject({ kind: 'unsplit', reason: 'own_rules' });
  });

  it('everything goes on unsplit while nothing is known of the cluster', () => {
    const said = { index: 'logs4', routing: undefined, pipeline: undefined, requireAlias: false };
    expect(resolveTarget(undefined, said)).toMatchObject({ kind: 'unsplit', reason: 'topology_unknown' });
  });
});
