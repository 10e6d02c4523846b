import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import express from 'express';
import { expressMessages } from './express-messages.ts';

describe('the messages of a server', () => {
  it("are born with the prototypes that Express gives them, and have all that Node's and Express's have", () => {
    const app = express();
    const { IncomingMessage: Request = IncomingMessage, ServerResponse: Response = ServerResponse } =
      expressMessages(app);
    const request = new Request(new Socket());
    const response = new Response(request);
    expect(Object.getPrototypeOf(request)).toBe(app.request);
    expect(Object.getPrototypeOf(response)).toBe(app.response);
    expect([request instanceof IncomingMessage, response instanceof ServerResponse]).toEqual([true, true]);
    expect(['get' in request, 'json' in response, 'writeHead' in response]).toEqual([true, true, true]);
  });

  it('are those of Node.js where no Express handles them', () => {
    expect(expressMessages(() => undefined)).toEqual({});
  });
});
