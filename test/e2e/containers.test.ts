// docker-compose.yml without containers: its exact commands, environments, health checks and order of starting, as plain processes.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { COMPOSE_SECRET, type ComposeService, readCompose } from '../support/compose-file.ts';
import { eventually } from '../support/eventually.ts';
import { freePorts } from '../support/free-ports.ts';
import { type HttpCalls, httpCalls } from '../support/http-calls.ts';
import { ROOT } from '../support/repository.ts';
import { runToEnd } from '../support/run-to-end.ts';
import { type RunningService, runningService } from '../support/running-service.ts';

jest.setTimeout(180_000);

const DATA_PATH = '/var/lib/weir';

const { services } = readCompose();
const names = Object.keys(services);
const dockerfile = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');

let directory: string;
let running: ReadonlyMap<string, RunningService>;

const instruction = (name: string): readonly string[] => {
  const [, words = '[]'] = new RegExp(`^\\s*${name} (\\[.*\\])$`, 'm').exec(dockerfile) ?? [];
  return JSON.parse(words);
};
/** Paths of the image, which holds the repository at /weir. */
const here = (words: readonly string[]): readonly string[] =>
  words.map((word) => word.replace(/^\/weir\//, `${ROOT}/`));

/** What the image's ENV sets. */
function imageEnvironment(): Record<string, string> {
  const [, set = ''] = /^ENV ((?:.*\\\n)*.*)$/m.exec(dockerfile) ?? [];
  return Object.fromEntries(
    [...set.matchAll(/([A-Z_]+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]),
  );
}

/** The names of the network become loopback with a port each, and the volume a directory: all that a container would have brought. */
function withoutContainer(name: string, service: ComposeService, ports: ReadonlyMap<string, number>) {
  const port = String(ports.get(name));
  const env = { ...imageEnvironment(), ...service.environment };
  const given = Object.entries(env).map(([variable, value]) => {
    if (variable === 'WEIR_HTTP_PORT') return [variable, port];
    if (variable === 'WEIR_HOST' || variable === 'WEIR_PUBLISH_HOST') return [variable, '127.0.0.1'];
    if (variable === 'WEIR_REDIS_URL') return [variable, `redis://127.0.0.1:${ports.get('redis')}`];
    return [variable, value === DATA_PATH ? join(directory, name) : value];
  });
  return Object.fromEntries(given) as Record<string, string>;
}

function processOf(name: string, ports: ReadonlyMap<string, number>): RunningService {
  const service = services[name] as ComposeService;
  const port = ports.get(name) ?? 0;
  mkdirSync(join(directory, name));
  const common = { name, port, logPath: join(directory, `${name}.log`), cwd: join(directory, name) };
  if (name === 'redis') {
    const [program = '', ...args] = service.command;
    const check = service.healthcheck?.test.slice(1) ?? [];
    return runningService({
      ...{ ...common, env: {} },
      command: [program, ...args, '--bind', '127.0.0.1', '--port', String(port)],
      isReady: () => succeeds([...check.slice(0, 1), '-p', String(port), ...check.slice(1)], {}),
    });
  }
  const env = withoutContainer(name, service, ports);
  return runningService({
    ...{ ...common, env },
    command: [...here(instruction('ENTRYPOINT')), ...service.command] as [string, ...string[]],
    isReady: () => succeeds(here(instruction('CMD')), env),
  });
}

async function succeeds(command: readonly string[], env: Readonly<Record<string, string>>): Promise<boolean> {
  return (await runToEnd(command as [string, ...string[]], { env })).ended === 0;
}

/** Starts each as soon as what it depends on is healthy. */
async function startInOrder(): Promise<void> {
  const started = new Map<string, Promise<void>>();
  const start = (name: string): Promise<void> => {
    const known = started.get(name);
    if (known !== undefined) return known;
    const needed = Object.keys(services[name]?.depends_on ?? {});
    const starting = Promise.all(needed.map(start)).then(() => running.get(name)?.start());
    started.set(name, starting);
    return starting;
  };
  await Promise.all(names.map(start));
}

const at = (name: string): HttpCalls => httpCalls(running.get(name)?.origin ?? '');
const stopAll = (): Promise<readonly unknown[]> =>
  Promise.all(
    ['coordinator-1', 'coordinator-2', 'datanode-1', 'datanode-2', 'datanode-3'].map((name) =>
      running.get(name)?.stop(),
    ),
  );

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'weir-containers-'));
  const free = await freePorts(names.length);
  const ports = new Map(names.map((name, number) => [name, free[number] ?? 0]));
  running = new Map(names.map((name) => [name, processOf(name, ports)]));
  await startInOrder();
});
afterAll(async () => {
  await Promise.all([...running.values()].map((service) => service.stop('SIGKILL')));
  rmSync(directory, { recursive: true, force: true });
});

describe('the containers as processes', () => {
  it('are healthy, and both coordinators know all three data nodes', async () => {
    for (const name of ['coordinator-1', 'coordinator-2'])
      await eventually(async () => {
        const { body } = await at(name).ask('/_cluster/health');
        return body['number_of_data_nodes'] === 3;
      }, 30_000);
    expect((await at('coordinator-1').ask('/_cat/nodes?h=name&s=name')).text).toContain('dn1');
  });

  it('store through one coordinator what the other one finds', async () => {
    const lines = Array.from({ length: 300 }, (_, n) => [{ index: { _id: `${n}` } }, { n, word: 'weir' }]);
    await at('coordinator-1').send('PUT', '/logs', {
      settings: { number_of_shards: 3, number_of_replicas: 1 },
    });
    await eventually(async () => (await at('coordinator-2').ask('/logs', { method: 'HEAD' })).status === 200);
    const { body } = await at('coordinator-1').bulk('/logs/_bulk?refresh=true', ...lines.flat());
    expect(body['errors']).toBe(false);
    expect((await at('coordinator-2').ask('/logs/_count?q=word:weir')).body['count']).toBe(300);
    expect((await at('coordinator-2').ask('/_cluster/health')).body['status']).toBe('green');
  });

  it('take a change of settings from who knows the secret, and both coordinators have it', async () => {
    const change = (headers: Readonly<Record<string, string>>) =>
      at('coordinator-1').ask('/_cluster/settings', {
        method: 'PUT',
        headers: { 'content-type': 'application/json', ...headers },
        body: '{"persistent":{"weir.admission.cpu.primary.soft":82}}',
      });
    expect((await change({})).status).toBe(403);
    expect((await change({ 'x-weir-cluster-secret': COMPOSE_SECRET })).status).toBe(200);
    await eventually(async () =>
      (await at('coordinator-2').ask('/_cluster/settings')).text.includes('"soft":"82"'),
    );
  });

  it('go on with one coordinator when the other is killed', async () => {
    running.get('coordinator-1')?.signal('SIGKILL');
    await running.get('coordinator-1')?.ended;
    const { body } = await at('coordinator-2').bulk('/logs/_bulk', { index: { _id: 'alone' } }, '{}');
    expect(body['errors']).toBe(false);
  });

  it('stop in order at SIGTERM, and a Redis that forgot everything is filled again at the next start', async () => {
    await running.get('coordinator-1')?.start();
    expect(await stopAll()).toEqual([0, 0, 0, 0, 0]);
    await running.get('redis')?.stop();
    await startInOrder();
    await eventually(async () => {
      const { status, body } = await at('coordinator-2').ask('/logs/_count');
      return status === 200 && body['count'] === 301;
    }, 30_000);
    expect(
      (await at('coordinator-1').ask('/_cluster/settings?flat_settings=true')).body['persistent'],
    ).toEqual({
      'weir.admission.cpu.primary.soft': '82',
    });
    await eventually(
      async () => (await at('coordinator-1').ask('/_cluster/health')).body['status'] === 'green',
      30_000,
    );
  });
});
