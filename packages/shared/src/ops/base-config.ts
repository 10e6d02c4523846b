// The configuration every service runs with, in the terms the code uses: who has access, how timeouts nest, how others reach it.
import { isIPv4 } from 'node:net';
import { hostname } from 'node:os';
import type { z } from 'zod';
import type { BaseOptions } from './base-options.ts';

/** Who may use internal routes and write settings. */
export type Access = {
  readonly secret: string | undefined;
  /** Said in so many words that the network itself is trusted. */
  readonly insecure: boolean;
  /** Only this machine can reach the listener. */
  readonly loopbackOnly: boolean;
};

/** How long each may take or wait for the next one inwards; every one is longer than the one after it (invariant I8). */
export type Timeouts = {
  /** A client's request as a whole. */
  readonly clientMs: number;
  /** A coordinator waits for a primary. */
  readonly coordinatorMs: number;
  /** A primary waits for its replicas. */
  readonly primaryMs: number;
  /** A replica's own work. */
  readonly replicaMs: number;
};

/** The shared options as parsed, before they are put into the code's terms. */
export type BaseFields = z.infer<z.ZodObject<BaseOptions>>;

/** What every service's configuration holds. */
export type BaseConfig = Readonly<
  Pick<BaseFields, 'host' | 'httpPort' | 'clusterName' | 'dataDir' | 'engine' | 'redisUrl' | 'logLevel'>
> & {
  /** Name in logs, metrics and views. */
  readonly nodeName: string;
  /** Address other nodes reach this one by, without port. */
  readonly publishHost: string;
  readonly access: Access;
  readonly timeouts: Timeouts;
};

export function baseConfig(fields: BaseFields): BaseConfig {
  const { host, httpPort, clusterName, dataDir, engine, redisUrl, logLevel } = fields;
  return {
    ...{ host, httpPort, clusterName, dataDir, engine, redisUrl, logLevel },
    nodeName: fields.nodeName ?? `${machineName()}-${httpPort}`,
    publishHost: fields.publishHost ?? (isAnyAddress(host) ? hostname() : host),
    access: { secret: fields.clusterSecret, insecure: fields.insecure, loopbackOnly: isLoopback(host) },
    timeouts: {
      clientMs: fields.clientTimeoutMs,
      coordinatorMs: fields.coordinatorTimeoutMs,
      primaryMs: fields.primaryTimeoutMs,
      replicaMs: fields.replicaTimeoutMs,
    },
  };
}

/** Whether only this machine can connect to a listener on this address. */
export function isLoopback(host: string): boolean {
  const address = host.toLowerCase().replace(/^::ffff:/, '');
  return address === 'localhost' || address === '::1' || (isIPv4(address) && address.startsWith('127.'));
}

function isAnyAddress(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}

/** The machine's name as far as it is allowed in a node's name. */
function machineName(): string {
  const name = hostname()
    .replace(/[^A-Za-z0-9._-]/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 58);
  return name === '' ? 'node' : name;
}
