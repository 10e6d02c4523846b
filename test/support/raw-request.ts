// Requests written to a connection piece by piece, as no HTTP library would send them.
import { connect, type Socket } from 'node:net';

export type RawRequest = {
  readonly socket: Socket;
  /** Everything the server wrote, once it closed the connection. */
  readonly answer: Promise<string>;
};

/** Opens a connection and sends a head; a connection that is reset has the answer that came before. */
export function rawRequest(port: number, head: readonly string[]): RawRequest {
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  const answer = new Promise<string>((resolve) => {
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('utf8')));
  });
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  return { socket, answer };
}
