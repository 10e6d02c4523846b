// How a service lives as a process: starts or says in one line why not, stops in order on a signal, and never dies in silence.
import type { Access } from './base-config.ts';
import { systemTimers, type Timers } from './clock.ts';
import type { EffectiveOption, Launch, Loaded } from './config.ts';
import { type Logger, openLog, type ServiceLog } from './logger.ts';
import { startupLine } from './startup-error.ts';

/** The part of the configuration a process needs. */
type ProcessConfig = {
  readonly nodeName: string;
  readonly logLevel: string;
  readonly host: string;
  readonly access: Access;
  readonly effective: readonly EffectiveOption[];
};

/** A service that runs; `stop` lets work in flight end within `graceMs`, then frees everything. */
export type Running = { stop(graceMs: number): Promise<void> };

export type ServiceTools = {
  readonly logger: Logger;
  /** Log lines dropped since the start; a metric. */
  readonly droppedLogLines: () => number;
};

export type Service<C extends ProcessConfig> = {
  /** `coordinator`, `datanode` or `standalone`. */
  readonly name: string;
  readonly load: (launch: Launch) => Loaded<C>;
  /** Resolves once requests are taken. What it throws becomes one line and exit code 1. */
  readonly start: (config: C, tools: ServiceTools) => Promise<Running>;
};

/** The process as far as a service needs it. */
export type ProcessPort = Launch & {
  on(event: 'SIGTERM' | 'SIGINT', listener: () => void): void;
  on(event: 'uncaughtException' | 'unhandledRejection', listener: (thrown: unknown) => void): void;
  exit(code: number): void;
  print(text: string): void;
  printError(text: string): void;
  /** Descriptor the log goes to. */
  readonly logFd: number;
  readonly timers: Timers;
};

const systemProcess: ProcessPort = {
  argv: process.argv.slice(2),
  env: process.env,
  on: (event: string, listener: (thrown: unknown) => void) => void process.on(event, listener),
  exit: (code) => process.exit(code),
  print: (text) => void process.stdout.write(text),
  printError: (text) => void process.stderr.write(text),
  logFd: 1,
  timers: systemTimers,
};

/** Requests in flight get this long to end; below the 30 s that container platforms wait before they kill. */
const STOP_GRACE_MS = 20_000;
/** After the grace: closing stores, connections and log. */
const STOP_CLOSING_MS = 5_000;
const LOG_FLUSH_MS = 500;

/** Runs a service until a signal ends it; the exit code is 0 after an orderly stop, else 1. */
export async function runService<C extends ProcessConfig>(
  service: Service<C>,
  port: ProcessPort = systemProcess,
): Promise<void> {
  let loaded: Loaded<C>;
  try {
    loaded = service.load(port);
  } catch (error) {
    port.printError(`weir ${service.name}: ${startupLine(error) ?? String(error)}\n`);
    port.exit(1);
    return;
  }
  if (loaded.kind === 'print') {
    port.print(loaded.text);
    port.exit(0);
    return;
  }
  await live(service, loaded.config, port);
}

async function live<C extends ProcessConfig>(
  service: Service<C>,
  config: C,
  port: ProcessPort,
): Promise<void> {
  const log = openLog({
    service: service.name,
    node: config.nodeName,
    level: config.logLevel,
    fd: port.logFd,
  });
  const { logger } = log;
  const exit = exitOnce(log, port);
  exitOnFault(logger, port, exit);
  const signalled = stopSignal(logger, port, exit);
  let running: Running;
  try {
    running = await service.start(config, { logger, droppedLogLines: log.droppedLines });
  } catch (error) {
    const line = startupLine(error);
    if (line === undefined) logger.fatal({ err: error }, 'could not start');
    port.printError(`weir ${service.name}: ${line ?? `could not start: ${String(error)}`}\n`);
    return exit(1);
  }
  logStarted(logger, config);
  logger.info({ signal: await signalled }, 'stopping');
  try {
    await running.stop(STOP_GRACE_MS);
  } catch (error) {
    logger.error({ err: error }, 'did not stop in order');
    return exit(1);
  }
  logger.info('stopped');
  return exit(0);
}

type Exit = (code: number) => Promise<void>;

/** The first reason to exit decides the code; the log gets a moment to be written. */
function exitOnce(log: ServiceLog, port: ProcessPort): Exit {
  let exiting = false;
  return async (code) => {
    if (exiting) return;
    exiting = true;
    await log.close(LOG_FLUSH_MS);
    port.exit(code);
  };
}

/** What nobody caught leaves the process in an unknown state: it is told and ends; a supervisor starts it anew. */
function exitOnFault(logger: Logger, port: ProcessPort, exit: Exit): void {
  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    port.on(event, (thrown) => {
      logger.fatal({ err: thrown, event }, 'fault of the program');
      void exit(1);
    });
}

/** Resolves at the first signal and bounds what follows; a second signal ends the process at once. */
function stopSignal(logger: Logger, port: ProcessPort, exit: Exit): Promise<string> {
  return new Promise((resolve) => {
    let signalled = false;
    const onSignal = (signal: string) => {
      if (signalled) {
        logger.warn({ signal }, 'second signal, ending at once');
        void exit(1);
        return;
      }
      signalled = true;
      port.timers.after(STOP_GRACE_MS + STOP_CLOSING_MS, () => {
        logger.error('did not stop in time');
        void exit(1);
      });
      resolve(signal);
    };
    port.on('SIGTERM', () => onSignal('SIGTERM'));
    port.on('SIGINT', () => onSignal('SIGINT'));
  });
}

function logStarted(logger: Logger, { access, host, effective }: ProcessConfig): void {
  const configuration = Object.fromEntries(effective.map(({ key, value }) => [key, value]));
  const given = effective.filter(({ from }) => from !== 'default');
  const configured_by = Object.fromEntries(given.map(({ key, from }) => [key, from]));
  logger.info({ configuration, configured_by }, 'started');
  if (access.secret !== undefined || access.loopbackOnly) return;
  if (access.insecure)
    logger.warn({ host }, 'open to everyone who reaches this address, as --insecure asked');
  else
    logger.warn(
      { host },
      'routes between nodes and writes of settings are refused to everyone: set WEIR_CLUSTER_SECRET, or --insecure where the network is trusted',
    );
}
