// Gives every JSON answer, errors included, the shape its request asked for: pretty, filter_path, a vendor's content type, a product header.
import { isErrorBody } from '@weir/shared';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { filterPaths } from './filter-path.ts';
import { stringifyWithRaw, withoutRaw } from './raw-json.ts';

const VENDOR_TYPE =
  /application\/vnd\.(?:elasticsearch|opensearch)\+json\s*;\s*compatible-with\s*=\s*"?(\d{1,2})"?/i;
const VENDOR_NAME = /application\/vnd\.(elasticsearch|opensearch)\+json/i;

/** `elasticCompat` adds the header without which Elastic's own clients refuse to talk. */
export function shapeReply(elasticCompat: boolean): RequestHandler {
  return (request: Request, response: Response, next: NextFunction) => {
    if (elasticCompat) response.setHeader('X-elastic-product', 'Elasticsearch');
    const opaqueId = request.headers['x-opaque-id'];
    if (typeof opaqueId === 'string') response.setHeader('X-Opaque-Id', opaqueId);
    response.json = (body: unknown) => {
      if (!response.hasHeader('Content-Type')) response.setHeader('Content-Type', contentType(request));
      // As bytes: for text, Express would add a charset that a vendor's type does not have.
      return response.send(Buffer.from(jsonText(request, body)));
    };
    next();
  };
}

/** JSON text of a body, laid out and filtered as the query string asks; an error is never filtered away. */
function jsonText(request: Request, body: unknown): string {
  const { filter_path: filterPath, pretty } = request.query;
  const isFiltered = typeof filterPath === 'string' && filterPath !== '' && !isErrorBody(body);
  const filtered = isFiltered ? filterPaths(withoutRaw(body), filterPath) : body;
  if (pretty === undefined || pretty === 'false') return stringifyWithRaw(filtered);
  return `${JSON.stringify(withoutRaw(filtered), null, 2)}\n`;
}

/** The vendor's own type where the client asks for it by name, plain JSON otherwise. */
export function contentType(request: Request): string {
  const accept = request.headers.accept ?? '';
  const vendor = VENDOR_NAME.exec(accept)?.[1];
  const version = VENDOR_TYPE.exec(accept)?.[1];
  if (vendor === undefined) return 'application/json; charset=utf-8';
  const type = `application/vnd.${vendor.toLowerCase()}+json`;
  return version === undefined ? type : `${type};compatible-with=${version}`;
}
