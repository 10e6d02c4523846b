// What an embedding service is guarded with: its own signals, bytes, recorder and the guard of a data node, put together.
import { crc32 } from 'node:zlib';
import {
  buildEffectiveSettings,
  byteLimits,
  type Clock,
  checkFileSettings,
  commonSections,
  createMetrics,
  type EffectiveSettings,
  fileSettings,
  IndexingPressure,
  nodeStatsBody,
  operationWork,
  ProcessFiguresSource,
  parseNodeStatsMetrics,
  RecordDecisions,
  type RefusalLogger,
  type Rng,
  realHeapLimitBytes,
  sendError,
  shedSalt,
  systemClock,
  systemRng,
  systemTimers,
  systemYield,
  type Timers,
  WEIR_VERSION,
  WeirError,
} from '@weir/shared';
import type { Request, Response } from 'express';
import { OwnSignals } from '../own-signals.ts';
import { Guard, type GuardedWork } from '../shard/admit-shard.ts';
import { refusalError } from './refusal-error.ts';

type Json = Readonly<Record<string, unknown>>;

export type AdmissionControlOptions = {
  /** Name of the service in refusals and log lines. */
  readonly name?: string;
  /** Bytes a request holds in memory; the length it declares by default. */
  readonly bytes?: (request: Request) => number;
  /** Whose limits a request is held against; undefined lets it pass unseen, as health checks must. By default all are primary. */
  readonly classify?: (request: Request) => 'primary' | 'replica' | undefined;
  /** Settings by their flat keys, such as `{ 'weir.admission.mode': 'monitor_only' }`; the rest keep their defaults. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Where refusals are logged; pino's logger fits. */
  readonly log?: RefusalLogger;
  readonly clock?: Clock;
  readonly timers?: Timers;
  readonly rng?: Rng;
};

export class GuardedService {
  readonly #name: string;
  readonly #options: AdmissionControlOptions;
  readonly #clock: Clock;
  readonly #rng: Rng;
  readonly #signals: OwnSignals;
  readonly #settings: EffectiveSettings;
  readonly #pressure: IndexingPressure;
  readonly #recorder: RecordDecisions;
  readonly #figures: ProcessFiguresSource;
  readonly #guard: Guard;

  constructor(options: AdmissionControlOptions) {
    const {
      clock = systemClock,
      timers = systemTimers,
      rng = systemRng,
      log = SILENT,
      name = 'service',
    } = options;
    const current = settingsOf(options.settings ?? {});
    const settings = (): EffectiveSettings => current;
    const heapLimitBytes = realHeapLimitBytes();
    this.#settings = current;
    this.#name = name;
    this.#options = options;
    this.#clock = clock;
    this.#rng = rng;
    this.#figures = new ProcessFiguresSource(clock);
    this.#signals = new OwnSignals({
      clock,
      timers,
      settings,
      warn: (message, fields) => log.warn(fields, message),
    });
    this.#pressure = new IndexingPressure(() => byteLimits(current, heapLimitBytes));
    this.#recorder = new RecordDecisions({
      ...{ log, clock, timers, rng },
      metrics: createMetrics({ service: 'datanode', version: WEIR_VERSION, startedWallMs: clock.wallMs() }),
      linesPerSecond: () => settings().log.refusalsPerSecond,
    });
    this.#guard = new Guard({
      ...{ node: name, clock, settings, pressure: this.#pressure, recorder: this.#recorder },
      salt: shedSalt(name, rng.bytes(16).toString('hex')),
      stressOf: (role) => this.#signals.stressOf(role),
      isDraining: () => false,
      freeDiskBytes: () => undefined,
    });
    this.#signals.start();
  }

  handle(request: Request, response: Response, next: () => void): void {
    const role = this.#options.classify === undefined ? 'primary' : this.#options.classify(request);
    if (role === undefined) {
      next();
      return;
    }
    const work = this.#workOf(request, role);
    this.#guard
      .admit(work, () => this.#run(work.bytes, response, next))
      .then((result) => {
        if (result !== undefined)
          sendError(response, refusalError(result, this.#settings.retryAfter.enabled));
      })
      .catch((thrown: unknown) => sendError(response, thrown));
  }

  stats(): Json {
    const identity = { id: this.#name, name: this.#name, roles: [] };
    const sections = commonSections(identity, () => ({
      figures: this.#figures.read(),
      signals: this.#signals.readings(),
      pressure: this.#pressure.report(),
      combinedBytes: this.#pressure.combinedBytes,
      admissionControl: this.#recorder.admissionControlStats(),
    }));
    return nodeStatsBody(identity, this.#clock.wallMs(), parseNodeStatsMetrics(undefined), sections);
  }

  dispose(): void {
    this.#signals.stop();
    this.#recorder.stop();
  }

  /**
   * Lets the service work, and counts that as work until its response is sent or its client gone. Requests that arrived together are all
   * counted before the first one runs: a service that computes on the event loop would otherwise never have more than one.
   */
  async #run(bytes: number, response: Response, next: () => void): Promise<void> {
    const end = this.#signals.work.begin(operationWork(bytes), 1);
    try {
      await systemYield();
      if (response.closed) return;
      await new Promise<void>((resolve) => {
        response.once('close', resolve);
        next();
      });
    } finally {
      end();
    }
  }

  #workOf(request: Request, role: 'primary' | 'replica'): GuardedWork {
    const bytes = this.#options.bytes?.(request) ?? Number(request.headers['content-length'] ?? 0);
    const requestId = headerOf(request, 'x-request-id') ?? this.#rng.bytes(8).toString('hex');
    const index = this.#name;
    return {
      role,
      bytes,
      forced: false,
      subject: { index, shard: 0, digest: () => this.#digestOf(request) },
      context: {
        ...{ role, index, shard: undefined, operations: 1, bytes, requestId },
        opaqueId: headerOf(request, 'x-opaque-id'),
        traceId: headerOf(request, 'traceparent'),
      },
    };
  }

  /** A retry that says it is one meets the same verdict. Any other request is known by nothing yet: its body is not read. */
  #digestOf(request: Request): number {
    const key = headerOf(request, 'idempotency-key');
    return key === undefined
      ? Math.floor(this.#rng.next() * 2 ** 32)
      : crc32(`${request.method} ${request.originalUrl} ${key}`);
  }
}

function headerOf(request: Request, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
}

const SILENT: RefusalLogger = { info: () => {}, warn: () => {} };

/** Checked as strictly as a configuration file: all mistakes at once. */
function settingsOf(given: Readonly<Record<string, unknown>>): EffectiveSettings {
  const problems = checkFileSettings(given);
  if (problems.length > 0) throw new WeirError('config', problems.join('; '));
  const layers = { transient: new Map(), persistent: new Map(), file: fileSettings(given) };
  const { settings } = buildEffectiveSettings(layers, 0);
  // Nobody steers requests to a single service: its guard holds the limits as they are.
  return { ...settings, admission: { ...settings.admission, coordinatorEnabled: false } };
}
