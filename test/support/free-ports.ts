// TCP ports of the loopback address that nothing listens on.
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** Below the ports that systems give to outgoing connections: one of those could take a port before its service listens on it. */
const FIRST = 20_000;
const LAST = 32_000;
const TRIES = 100;

/** As many consecutive ports as asked for; held until all are known, then let go. */
export async function freePorts(count: number): Promise<readonly number[]> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const first = FIRST + Math.floor(Math.random() * (LAST - FIRST - count));
    const ports = Array.from({ length: count }, (_, offset) => first + offset);
    const held = await Promise.allSettled(ports.map(listen));
    const servers = held.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    await Promise.all(servers.map(close));
    if (servers.length === count) return ports;
  }
  throw new Error(`no ${count} free ports between ${FIRST} and ${LAST}`);
}

/** One of them. */
export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1);
  return port;
}

async function listen(port: number): Promise<Server> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function close(server: Server): Promise<void> {
  server.close();
  await once(server, 'close');
}
