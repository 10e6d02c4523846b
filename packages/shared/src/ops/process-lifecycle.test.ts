import { EventEmitter, once } from 'node:events';
import { openSync } from 'node:fs';
import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '../testing/index.ts';
import type { BaseConfig } from './base-config.ts';
import { baseOptions } from './base-options.ts';
import { type Launch, loadConfig, type Provenance } from './config.ts';
import { WeirError } from './errors.ts';
import { type ProcessPort, type Running, runService, type Service } from './process-lifecycle.ts';

type Config = BaseConfig & Provenance;

/** A process that only remembers what was done to it. */
class FakeProcess implements ProcessPort {
  readonly argv: readonly string[];
  readonly env = {};
  readonly events = new EventEmitter();
  readonly timers = new ManualClock();
  readonly logFd = openSync('/dev/null', 'w');
  out = '';
  err = '';
  readonly exited: Promise<number>;
  exit: (code: number) => void = () => {};

  constructor(argv: readonly string[] = []) {
    this.argv = argv;
    this.exited = new Promise((resolve) => {
      this.exit = resolve;
    });
  }

  on(event: string, listener: (thrown: unknown) => void): void {
    this.events.on(event, listener);
  }

  print(text: string): void {
    this.out += text;
  }

  printError(text: string): void {
    this.err += text;
  }
}

const stopped: number[] = [];
afterEach(() => void stopped.splice(0));

function service(overrides: Partial<Service<Config>> = {}): Service<Config> {
  return {
    name: 'datanode',
    load: (launch: Launch) =>
      loadConfig(
        {
          program: 'datanode',
          summary: 'a test.',
          base: baseOptions({ httpPort: 9300, dataDir: 'd' }),
          own: {},
        },
        launch,
      ),
    start: () => Promise.resolve({ stop: async (graceMs) => void stopped.push(graceMs) }),
    ...overrides,
  };
}

const forever = () => new Promise<never>(() => {});

describe('a service as a process', () => {
  it('prints help or version and exits with 0', async () => {
    const port = new FakeProcess(['--version']);
    await runService(service(), port);
    expect(await port.exited).toBe(0);
    expect(port.out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('tells mistakes of the configuration in one line and exits with 1', async () => {
    const port = new FakeProcess(['--http-port=x', '--nonsense']);
    await runService(service(), port);
    expect(await port.exited).toBe(1);
    expect(port.err).toMatch(/^weir datanode: 2 mistakes in the configuration: [^\n]*--nonsense[^\n]*\n$/);
  });

  it('stops in order on a signal and exits with 0', async () => {
    const port = new FakeProcess();
    const lived = runService(service(), port);
    port.events.emit('SIGTERM');
    await lived;
    expect(await port.exited).toBe(0);
    expect(stopped).toEqual([20_000]);
  });

  it('finishes its start before it stops when the signal comes early', async () => {
    const port = new FakeProcess();
    let started: (running: Running) => void = () => {};
    const start = () =>
      new Promise<Running>((resolve) => {
        started = resolve;
      });
    const lived = runService(service({ start }), port);
    port.events.emit('SIGINT');
    started({ stop: async () => void stopped.push(1) });
    await lived;
    expect([await port.exited, stopped]).toEqual([0, [1]]);
  });

  it('exits with 1 when it cannot stop within its time, or a second signal comes', async () => {
    for (const end of [
      (port: FakeProcess) => port.timers.advance(25_000),
      (port: FakeProcess) => void port.events.emit('SIGINT'),
    ]) {
      const port = new FakeProcess();
      void runService(service({ start: () => Promise.resolve({ stop: forever }) }), port);
      port.events.emit('SIGTERM');
      end(port);
      expect(await port.exited).toBe(1);
    }
  });

  it('exits with 1 when stopping fails', async () => {
    const port = new FakeProcess();
    const stop = () => Promise.reject(new Error('disk gone'));
    const lived = runService(service({ start: () => Promise.resolve({ stop }) }), port);
    port.events.emit('SIGTERM');
    await lived;
    expect(await port.exited).toBe(1);
  });

  it.each(['uncaughtException', 'unhandledRejection'])('exits with 1 on %s', async (event) => {
    const port = new FakeProcess();
    void runService(service(), port);
    port.events.emit(event, undefined);
    expect(await port.exited).toBe(1);
  });

  it('says in one line what is wrong and what to do when it cannot start', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    const portNumber = typeof address === 'object' && address !== null ? address.port : 0;
    const start = () =>
      new Promise<never>((_resolve, reject) => {
        createServer().once('error', reject).listen(portNumber, '127.0.0.1');
      });
    const port = new FakeProcess();
    await runService(service({ start }), port);
    taken.close();
    expect(await port.exited).toBe(1);
    expect(port.err).toBe(
      `weir datanode: port ${portNumber} on 127.0.0.1 is in use: stop what listens there or choose another with --http-port (WEIR_HTTP_PORT)\n`,
    );
  });

  it('names a fault of the program by its message', async () => {
    const port = new FakeProcess();
    await runService(service({ start: () => Promise.reject(new TypeError('x is not a function')) }), port);
    expect(await port.exited).toBe(1);
    expect(port.err).toBe('weir datanode: could not start: TypeError: x is not a function\n');
  });

  it('takes the line of a configuration error thrown while starting', async () => {
    const port = new FakeProcess();
    const start = () => Promise.reject(new WeirError('config', 'data directory d is in use'));
    await runService(service({ start }), port);
    expect(port.err).toBe('weir datanode: data directory d is in use\n');
  });
});
