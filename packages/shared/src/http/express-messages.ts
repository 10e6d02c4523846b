// Of which classes does a server make its requests and responses, so that Express finds them as it wants to have them?
import { IncomingMessage, type RequestListener, type ServerOptions, ServerResponse } from 'node:http';
import type { Express } from 'express';

/**
 * Express gives each request and response the prototype of its app. Done to an object that is in use already, that makes V8 forget what it knows of it:
 * every later access by Node.js's own code was looked up anew, 0.25 ms of processor time per request. Made by these classes, they have that prototype from
 * their birth, and Express changes nothing.
 */
export function expressMessages(
  handler: RequestListener,
): Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'> {
  if (!isExpress(handler)) return {};
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse<Request extends IncomingMessage> extends ServerResponse<Request> {}
  handler.request = bornWith(ExpressRequest.prototype, handler.request);
  handler.response = bornWith(ExpressResponse.prototype, handler.response);
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
}

function isExpress(handler: RequestListener): handler is Express {
  return 'request' in handler && 'response' in handler;
}

/** The prototype of new objects, with all that Express's own has. */
function bornWith<Message extends object>(prototype: object, express: Message): Message {
  return Object.setPrototypeOf(prototype, express);
}
