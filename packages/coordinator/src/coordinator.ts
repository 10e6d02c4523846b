// A whole coordinator, put together from its ports: started, reachable, and stopped in order.
import {
  BoundedWarnings,
  type Bus,
  type Clock,
  escapeControlCharacters,
  fileSettings,
  type HttpClient,
  type Logger,
  MetadataStore,
  type Rng,
  SettingsStore,
  serve,
  systemClock,
  systemRng,
  systemTimers,
  systemYield,
  type Timers,
  undiciClient,
  type WeirError,
} from '@weir/shared';
import type { Request } from 'express';
import type { CoordinatorConfig } from './config.ts';
import { CoordinatorParts, type CoordinatorPorts } from './coordinator-parts.ts';
import { FrontParts } from './opensearch/front-parts.ts';

export type CoordinatorOptions = {
  readonly config: CoordinatorConfig;
  /** Shared with the cluster; stays open when the coordinator stops, since others of this process may use it. */
  readonly bus: Bus;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly clock?: Clock;
  readonly timers?: Timers;
  readonly rng?: Rng;
  readonly http?: HttpClient;
};

/** A running coordinator. */
export type Coordinator = {
  readonly name: string;
  /** Base URL that clients reach it by. */
  readonly origin: string;
  /** Lets requests in flight end with their real results within `graceMs`, then frees everything but the bus. */
  stop(graceMs: number): Promise<void>;
};

type Close = () => Promise<void> | void;

/** Resolves once the coordinator takes requests; rejects, with nothing left open, when it cannot. */
export async function startCoordinator(options: CoordinatorOptions): Promise<Coordinator> {
  const closes: Close[] = [];
  try {
    return await start(options, closes);
  } catch (thrown) {
    await closeAll(closes).catch(() => undefined);
    throw thrown;
  }
}

async function start(options: CoordinatorOptions, closes: Close[]): Promise<Coordinator> {
  const { config, bus, logger } = options;
  const { clock = systemClock, timers = systemTimers, rng = systemRng, http = undiciClient() } = options;
  if (options.http === undefined) closes.push(() => http.close());
  const followed = { bus, clock, timers, rng, log: logger };
  const settings = new SettingsStore({ ...followed, file: fileSettings(config.fileSettings) });
  closes.push(() => settings.close());
  await settings.start();
  const warnings = new BoundedWarnings(logger, clock);
  const ports = { ...followed, config, http, yieldToLoop: systemYield, settings, warnings };
  const parts =
    config.engine === 'opensearch' ? new FrontParts(ports) : await ownEngineParts(ports, followed, closes);
  closes.push(await parts.start());

  const report = (error: WeirError, request: Request): void => reportFault(error, request, logger);
  let address = '';
  const listening = await serve(parts.app({ report, publishAddress: () => address }), {
    ...{ host: config.host, port: config.httpPort, timers },
    continueUpToBytes: () => settings.current().bulk.maxBodyBytes,
  });
  address = `${hostInUrl(config.publishHost)}:${listening.port}`;
  let stopping: Promise<void> | undefined;
  return {
    name: config.nodeName,
    origin: `http://${hostInUrl(config.publishHost)}:${listening.port}`,
    stop(graceMs) {
      stopping ??= stop(graceMs);
      return stopping;
    },
  };

  async function stop(graceMs: number): Promise<void> {
    parts.drain();
    await listening.stop(graceMs);
    await closeAll(closes);
  }
}

/** With the built-in engine the indices are Weir's own, and their metadata is on the bus. */
async function ownEngineParts(
  ports: Omit<CoordinatorPorts, 'metadata'>,
  followed: ConstructorParameters<typeof MetadataStore>[0],
  closes: Close[],
): Promise<CoordinatorParts> {
  const metadata = new MetadataStore(followed);
  closes.push(() => metadata.close());
  await metadata.start();
  return new CoordinatorParts({ ...ports, metadata });
}

/** In the opposite order of opening, each even when another fails; rejects with the first failure. */
async function closeAll(closes: Close[]): Promise<void> {
  const results: PromiseSettledResult<void>[] = [];
  for (const close of closes.splice(0).reverse()) {
    results.push(...(await Promise.allSettled([(async () => close())()])));
  }
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/** What the client sees as a 5xx; its cause and stack stay here. */
function reportFault(error: WeirError, request: Request, logger: CoordinatorOptions['logger']): void {
  const fields = {
    method: request.method,
    path: escapeControlCharacters(request.path.slice(0, 200)),
    type: error.type,
    status: error.status,
    reason: escapeControlCharacters(error.message),
  };
  if (error.code === 'internal') logger.error({ ...fields, err: error.cause ?? error }, 'request failed');
  else logger.warn(fields, 'request failed');
}

function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
