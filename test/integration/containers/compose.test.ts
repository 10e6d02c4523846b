// Whether docker-compose.yml describes a cluster that would start: valid by the compose schema, with configuration the services accept.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { loadCoordinatorConfig } from '@weir/coordinator';
import { loadDataNodeConfig } from '@weir/datanode';
import { DCLinter } from 'dclint';
import { COMPOSE_PATH, COMPOSE_SECRET, environmentExample, readCompose } from '../../support/compose-file.ts';
import { readJson } from '../../support/repository.ts';

const text = readFileSync(COMPOSE_PATH, 'utf8');
const example = environmentExample();
const { services, volumes } = readCompose();
const own = Object.entries(services).filter(([, { build }]) => build !== undefined);
const ofKind = (kind: string) => own.filter(([, { command }]) => command[0] === kind);

describe('docker-compose.yml', () => {
  it('is valid by the compose schema and its linter has nothing to say', () => {
    const rules = readJson('.dclintrc.json')['rules'];
    const results = new DCLinter({ rules, quiet: false, debug: false, exclude: [] }).lintFiles(
      [COMPOSE_PATH],
      false,
    );
    expect(results.flatMap(({ messages }: { messages: readonly unknown[] }) => messages)).toEqual([]);
  });

  it('has Redis, two coordinators and three data nodes of one image', () => {
    expect(Object.keys(services)).toHaveLength(6);
    expect([ofKind('coordinator').length, ofKind('datanode').length]).toEqual([2, 3]);
    expect(new Set(own.map(([, { image }]) => image))).toEqual(
      new Set([`weir:${readJson('package.json')['version']}`]),
    );
    expect(services['redis']?.image).toMatch(/^redis:\d/);
  });

  it.each(own)(
    'gives %s a configuration it accepts, with a secret and a name of its own',
    (name, service) => {
      const load = service.command[0] === 'datanode' ? loadDataNodeConfig : loadCoordinatorConfig;
      const imageEnvironment = { WEIR_HOST: '0.0.0.0', WEIR_DATA_DIR: '/var/lib/weir' };
      const loaded = load({
        argv: service.command.slice(1),
        env: { ...imageEnvironment, ...service.environment },
      });
      expect(loaded).toMatchObject({
        kind: 'run',
        config: {
          publishHost: name,
          redisUrl: 'redis://redis:6379',
          access: { secret: COMPOSE_SECRET, insecure: false, loopbackOnly: false },
        },
      });
    },
  );

  it('names every node once', () => {
    const names = own.map(([, { environment }]) => environment?.['WEIR_NODE_NAME']);
    expect(new Set(names).size).toBe(own.length);
  });

  it('starts each service only when what it needs is healthy, and everything needed has a health check', () => {
    for (const [, { depends_on = {} }] of own)
      for (const [needed, { condition }] of Object.entries(depends_on)) {
        expect(condition).toBe('service_healthy');
        expect(services[needed]?.build ?? services[needed]?.healthcheck).toBeDefined();
      }
    for (const [, { depends_on = {} }] of ofKind('coordinator'))
      expect(Object.keys(depends_on).sort()).toEqual(['datanode-1', 'datanode-2', 'datanode-3', 'redis']);
    for (const [, { depends_on = {} }] of ofKind('datanode'))
      expect(Object.keys(depends_on)).toEqual(['redis']);
  });

  it('opens ports on loopback only, and only those of the coordinators', () => {
    const open = Object.entries(services).flatMap(([name, { ports = [] }]) =>
      ports.map((port) => [name, port]),
    );
    expect(open).toEqual([
      ['coordinator-1', '127.0.0.1:9200:9200'],
      ['coordinator-2', '127.0.0.1:9201:9200'],
    ]);
  });

  it('keeps the data of each data node in a named volume of its own', () => {
    const mounted = ofKind('datanode').flatMap(([, service]) => service.volumes ?? []);
    expect(mounted.map((volume) => volume.split(':')[1])).toEqual(Array(3).fill('/var/lib/weir'));
    expect(mounted.map((volume) => volume.split(':')[0]).sort()).toEqual(Object.keys(volumes).sort());
  });

  it('asks for exactly what .env.example explains, and starts with no secret of its own', () => {
    const asked = new Set([...text.matchAll(/\$\{([A-Z0-9_]+)/g)].map(([, name]) => name));
    expect([...asked].sort()).toEqual([...example.keys()].sort());
    expect(text).toMatch(/\$\{WEIR_CLUSTER_SECRET:\?/);
    expect(example.get('WEIR_CLUSTER_SECRET')).toBe('');
  });
});
