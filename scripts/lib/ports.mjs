// Which TCP ports of this machine are free.
import { createServer } from 'node:net';

/** Whether a port can be listened on now: undefined, or the system's code (EADDRINUSE, EACCES). */
export function portProblem(host, port) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) => resolve(error.code));
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });
}

/** A port that nothing listens on at the moment. */
export function anyFreePort(host) {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, host, () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** The first of `count` consecutive free ports, looked for from `first` upwards; `spoken` is for somebody else. */
export async function freePortRange(host, first, count, spoken) {
  for (let base = first; base + count <= 65_536; base += 1) {
    const problems = await Promise.all(
      Array.from({ length: count }, (_, offset) =>
        base + offset === spoken ? 'EADDRINUSE' : portProblem(host, base + offset),
      ),
    );
    const busy = problems.findLastIndex((problem) => problem !== undefined);
    if (busy === -1) return base;
    base += busy;
  }
  return undefined;
}
