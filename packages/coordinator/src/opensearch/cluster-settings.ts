// `/_cluster/settings` in front of a cluster: what begins with `weir.` is Weir's, all else the cluster's, and reading shows both.
import { gunzipSync } from 'node:zlib';
import {
  answerHeaders,
  type Handler,
  type RouteSpec,
  requesterHeaders,
  route,
  type Timers,
  WeirError,
} from '@weir/shared';
import type { Request } from 'express';
import { hasBody, isGzip } from '../bulk/body-format.ts';
import { collectBody } from '../bulk/collect-body.ts';
import { sendWhole } from '../bulk/send-whole.ts';
import { isRecord } from '../http/read-json-body.ts';
import { defaultsOf, shownSettings } from '../settings/settings-bodies.ts';
import { type SettingsRoutesParts, settingsRoutes } from '../settings/settings-routes.ts';
import { type PassThroughPorts, passThrough } from './pass-through.ts';
import { passThroughTimeoutMs } from './pass-through-timeout.ts';
import { withoutShaping } from './query-shaping.ts';
import { mergeSettings, mixedKeys, ownerOf } from './settings-merge.ts';
import type { Upstream } from './upstream.ts';

type Passing = PassThroughPorts & { readonly upstream: Pick<Upstream, 'ask' | 'forward'> };

const PATH = '/_cluster/settings';
/** As much as Weir's own settings routes read. */
const MAX_BODY_BYTES = 10 * 1024 * 1024;

/** The routes of settings; those under `/_weir/` are Weir's alone. */
export function settingsOfBoth(
  parts: Omit<SettingsRoutesParts, 'collectBody'>,
  passing: Passing,
): readonly RouteSpec[] {
  const read = new Map<Request, Buffer>();
  const own = settingsRoutes({
    ...parts,
    collectBody: async (request, maxBytes) => read.get(request) ?? plainBody(request, maxBytes, passing),
  });
  const ownPut = own.find(({ path, methods }) => path === PATH && methods.includes('PUT'));
  return [
    ...own.filter(({ path }) => path !== PATH),
    route('GET', PATH, showBoth(parts, passing)),
    route('PUT', PATH, async (request, response) => {
      const raw = await readRaw(request, passing);
      const body = raw === undefined ? undefined : inflated(request, raw);
      const content = parsed(body);
      const owner = ownerOf(content);
      if (owner === 'both') throw mixed(content);
      if (owner === 'cluster' || body === undefined || ownPut === undefined) {
        await passThrough(request, response, passing, raw);
        return;
      }
      read.set(request, body);
      try {
        await ownPut.handle(request, response);
      } finally {
        read.delete(request);
      }
    }),
  ];
}

/** With the client's own rights: whoever may not see the cluster's settings is told so by the cluster. */
function showBoth(
  { settings, options }: Omit<SettingsRoutesParts, 'collectBody'>,
  passing: Passing,
): Handler {
  return async (request, response) => {
    const target = request.originalUrl;
    const { status, headers, body } = await passing.upstream.ask({
      method: 'GET',
      path: withoutShaping(target),
      headers: [...requesterHeaders(request.rawHeaders), 'accept', 'application/json'],
      body: undefined,
      timeoutMs: passThroughTimeoutMs(target, passing.baseTimeoutMs),
    });
    const theirs = parsed(body);
    if (status !== 200 || !isRecord(theirs)) {
      sendWhole(response, { status, headers: answerHeaders(headers), body });
      return;
    }
    const flat = new URLSearchParams(target.split('?')[1] ?? '').get('flat_settings');
    const isFlat = flat !== null && flat !== 'false';
    const layers = settings.layers();
    const ours = {
      persistent: shownSettings(layers.persistent, isFlat),
      transient: shownSettings(layers.transient, isFlat),
      defaults: shownSettings(defaultsOf(layers, options), isFlat),
    };
    response.json(mergeSettings(theirs, ours));
  };
}

function readRaw(request: Request, { timers }: Passing): Promise<Buffer | undefined> {
  return hasBody(request) ? plainBody(request, MAX_BODY_BYTES, { timers }) : Promise.resolve(undefined);
}

function plainBody(
  request: Request,
  maxBytes: number,
  { timers }: { readonly timers: Timers },
): Promise<Buffer> {
  const limit = { maxBytes, setting: 'request body' };
  const budget = { announce: () => undefined, take: () => undefined };
  return collectBody(request, { limit, budget, timers, asCame: true });
}

/** For a look into it; what cannot be read is passed on as it came. */
function inflated(request: Request, raw: Buffer): Buffer | undefined {
  try {
    return isGzip(request) ? gunzipSync(raw, { maxOutputLength: MAX_BODY_BYTES }) : raw;
  } catch {
    return undefined;
  }
}

function parsed(body: Buffer | undefined): unknown {
  try {
    return body === undefined ? undefined : JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

function mixed(content: unknown): WeirError {
  const [own, other] = mixedKeys(content);
  return new WeirError(
    'illegal_argument',
    `settings of Weir [${own}] and of the cluster behind it [${other}] in one request cannot be applied as one: send them in two`,
  );
}
