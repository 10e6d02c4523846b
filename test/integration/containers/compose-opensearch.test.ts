// Whether docker-compose.opensearch.yml describes Weir before a cluster that would start: valid, with configuration the services accept.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { loadCoordinatorConfig } from '@weir/coordinator';
import { loadDataNodeConfig } from '@weir/datanode';
import { openSearchConnection } from '@weir/shared';
import { DCLinter } from 'dclint';
import { parse } from 'yaml';
import { ROOT, readJson } from '../../support/repository.ts';

type Service = {
  readonly command?: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly depends_on?: Readonly<Record<string, unknown>>;
};

const PATH = join(ROOT, 'docker-compose.opensearch.yml');
const SECRET = '0123456789abcdef0123456789abcdef';
const text = readFileSync(PATH, 'utf8').replace(
  /\$\{([A-Z0-9_]+):([-?])([^}]*)\}/g,
  (_all, _name, kind, value) => (kind === '?' ? SECRET : value),
);
const { services } = parse(text, { merge: true }) as { services: Readonly<Record<string, Service>> };
const ofKind = (kind: string) => Object.entries(services).filter(([, { command }]) => command?.[0] === kind);

describe('docker-compose.opensearch.yml', () => {
  it('is valid by the compose schema and its linter has nothing to say', () => {
    const rules = readJson('.dclintrc.json')['rules'];
    const results = new DCLinter({ rules, quiet: false, debug: false, exclude: [] }).lintFiles([PATH], false);
    expect(results.flatMap(({ messages }: { messages: readonly unknown[] }) => messages)).toEqual([]);
  });

  it('has an agent for each of two nodes, which starts after it, and two coordinators', () => {
    const agents = ofKind('datanode').map(([name, { environment, depends_on = {} }]) => {
      const loaded = loadDataNodeConfig({ argv: ['--host', '0.0.0.0'], env: environment });
      if (loaded.kind !== 'run') throw new Error('expected a run');
      const { host } = new URL(openSearchConnection(loaded.config).origins[0] ?? '');
      return [name, loaded.config.engine, host, Object.keys(depends_on)];
    });
    expect(agents).toEqual([
      ['agent-1', 'opensearch', 'opensearch-1:9200', ['opensearch-1', 'redis']],
      ['agent-2', 'opensearch', 'opensearch-2:9200', ['opensearch-2', 'redis']],
    ]);
    const coordinators = ofKind('coordinator').map(([, { environment }]) => {
      const loaded = loadCoordinatorConfig({ argv: ['--host', '0.0.0.0'], env: environment });
      if (loaded.kind !== 'run') throw new Error('expected a run');
      return openSearchConnection(loaded.config).origins;
    });
    expect(coordinators).toEqual([
      ['http://opensearch-1:9200', 'http://opensearch-2:9200'],
      ['http://opensearch-1:9200', 'http://opensearch-2:9200'],
    ]);
  });

  it('lets nobody in but through the coordinators, and these on this machine alone', () => {
    const published = Object.entries(services).flatMap(([name, { ports = [] }]) =>
      ports.map((port) => [name, port]),
    );
    expect(published).toEqual([
      ['coordinator-1', '127.0.0.1:9200:9200'],
      ['coordinator-2', '127.0.0.1:9201:9200'],
    ]);
  });
});
