// How a service logs: JSON lines with the service's name on each, secrets left out, and no way for a slow reader to harm the service.
import { type Logger, pino, stdTimeFunctions } from 'pino';
import { type Clock, systemClock, systemTimers, type Timers } from './clock.ts';
import { LogDestination } from './log-destination.ts';
import { REDACTED } from './redact.ts';
import { WEIR_VERSION } from './version.ts';

export type { Logger };

export type LogOptions = {
  readonly service: string;
  readonly node: string;
  readonly level: string;
  /** File descriptor lines go to; 1 is stdout. */
  readonly fd: number;
};

export type ServiceLog = {
  readonly logger: Logger;
  /** Lines dropped since the start because nobody read them in time. */
  droppedLines(): number;
  /** Waits until everything is written, at most `budgetMs`; nothing is logged after it. */
  close(budgetMs: number): Promise<void>;
};

const SECRET_FIELDS = [
  'authorization',
  'proxy-authorization',
  'cookie',
  'x-weir-cluster-secret',
  'secret',
  'password',
  'clusterSecret',
  'cluster_secret',
];
/** At the top, in `headers` and in a request's headers: where such fields are found. */
const SECRET_PATHS = ['', 'headers', 'req.headers', 'config', 'access'].flatMap((parent) =>
  SECRET_FIELDS.map((field) => `${parent}["${field}"]`),
);

/** Opens the log of a service. */
export function openLog(
  options: LogOptions,
  ports: { readonly clock: Clock; readonly timers: Timers } = { clock: systemClock, timers: systemTimers },
): ServiceLog {
  const destination = new LogDestination(options.fd, ports.clock, ports.timers);
  const logger = pino(
    {
      level: options.level,
      // Not `node`: a refusal's line says by that name whose limits were passed.
      base: { service: options.service, instance: options.node, version: WEIR_VERSION, pid: process.pid },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRET_PATHS, censor: REDACTED },
    },
    destination,
  );
  destination.tell({
    dropped: (lines, total) =>
      logger.warn({ dropped_lines: lines, dropped_lines_total: total }, 'log lines dropped'),
    failed: (code) => logger.error({ code }, 'log destination failed, lines go to stderr'),
  });
  return {
    logger,
    droppedLines: () => destination.dropped,
    close: (budgetMs) => destination.close(budgetMs),
  };
}
