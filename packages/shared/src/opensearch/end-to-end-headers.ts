// Which headers go on from one connection to the next? All but those about the connection itself (RFC 9110, 7.6.1).

const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
/** Said anew for the next server, or already answered here. */
const OF_THIS_SERVER = new Set(['host', 'expect']);
/** Weir's own, such as the cluster's secret. */
const OWN_PREFIX = 'x-weir-';
/** What describes one body and not the one that takes its place, or the form of an answer that is read here. */
const OF_THE_BODY = /^(?:content-.*|accept(?:-encoding|-charset)?|range|if-.*|digest)$/;

/** Names and values in turn, as Node.js gives them raw. */
export type RawHeaders = readonly string[];

/** What goes on of a request whose body goes on as it is. */
export function requestHeaders(raw: RawHeaders): string[] {
  const dropped = namedInConnection(raw);
  return keep(
    raw,
    (name) =>
      !HOP_BY_HOP.has(name) &&
      !OF_THIS_SERVER.has(name) &&
      !name.startsWith(OWN_PREFIX) &&
      !dropped.has(name),
  );
}

/** What goes on of a request whose body is another one: who asks and by which right, nothing about the body. */
export function requesterHeaders(raw: RawHeaders): string[] {
  return keep(requestHeaders(raw), (name) => !OF_THE_BODY.test(name));
}

/** What goes on of an answer. */
export function answerHeaders(raw: RawHeaders): string[] {
  const dropped = namedInConnection(raw);
  return keep(raw, (name) => !HOP_BY_HOP.has(name) && !dropped.has(name));
}

/** As a record; several of one name become one, as HTTP means them. */
export function headerRecord(raw: RawHeaders): Record<string, string> {
  const record: Record<string, string> = {};
  for (let at = 0; at < raw.length; at += 2) {
    const name = (raw[at] ?? '').toLowerCase();
    const value = raw[at + 1] ?? '';
    record[name] = record[name] === undefined ? value : `${record[name]}, ${value}`;
  }
  return record;
}

function namedInConnection(raw: RawHeaders): ReadonlySet<string> {
  const names = new Set<string>();
  for (let at = 0; at < raw.length; at += 2) {
    if (raw[at]?.toLowerCase() !== 'connection') continue;
    for (const name of (raw[at + 1] ?? '').split(',')) names.add(name.trim().toLowerCase());
  }
  return names;
}

function keep(raw: RawHeaders, wanted: (name: string) => boolean): string[] {
  const kept: string[] = [];
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at] ?? '';
    if (wanted(name.toLowerCase())) kept.push(name, raw[at + 1] ?? '');
  }
  return kept;
}
