import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { findServer } from './find-server.ts';

describe('a server to load to', () => {
  it('is there when it answers anything at all, and its absence is one line with the cause and what to do', async () => {
    const server = createServer((_request, response) => response.writeHead(401).end()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await expect(findServer(url)).resolves.toBeUndefined();
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
    await expect(findServer(url)).rejects.toThrow(
      /^nobody answers at http:\/\/127\.0\.0\.1:\d+ \(.+\): start a cluster with npm start, or name a running one with --url$/,
    );
  });
});
