// JSON as values that can be changed without losing a digit: JSON.parse rounds 9007199254740993 and forgets that 1.0 was not 1.

export type ExactValue = string | boolean | null | readonly ExactValue[] | ExactObject;
export interface ExactObject {
  [key: string]: ExactValue;
}

// A number travels through JSON.parse and JSON.stringify as a string that begins with NUL and `#`. A string of the document's own that begins
// with NUL gets a `$` after it, so the two cannot be taken for one another. In JSON text NUL has this one spelling.
const NUL = '\\u0000';
const NUMBER_MARK = '#';
const STRING_MARK = '$';
const ENDS_NUMBER = /[\s,\]}]/g;

/** Reads JSON that is known to be valid; numbers stand in the result as marked strings. */
export function parseExact(json: string): ExactValue {
  return JSON.parse(mapLexemes(json, markNumber, markString)) as ExactValue;
}

/** Writes what `parseExact` read, each number as it was spelled. */
export function stringifyExact(value: ExactValue): string {
  return mapLexemes(JSON.stringify(value), (number) => number, unmarkString);
}

/** The same value as ordinary JSON.parse makes it. */
export function plainValue(value: ExactValue): unknown {
  return JSON.parse(stringifyExact(value));
}

function markNumber(number: string): string {
  return `"${NUL}${NUMBER_MARK}${number}"`;
}

function markString(text: string): string {
  return text.startsWith(NUL, 1) ? `"${NUL}${STRING_MARK}${text.slice(1 + NUL.length)}` : text;
}

function unmarkString(text: string): string {
  if (!text.startsWith(NUL, 1)) return text;
  const rest = text.slice(2 + NUL.length);
  return text[1 + NUL.length] === NUMBER_MARK ? rest.slice(0, -1) : `"${NUL}${rest}`;
}

/** Copies valid JSON with each number and each string (quotes included) replaced. */
function mapLexemes(
  json: string,
  ofNumber: (text: string) => string,
  ofString: (text: string) => string,
): string {
  const parts: string[] = [];
  let copied = 0;
  let at = 0;
  while (at < json.length) {
    const code = json.charCodeAt(at);
    const isString = code === 0x22;
    if (!isString && code !== 0x2d && !(code >= 0x30 && code <= 0x39)) {
      at++;
      continue;
    }
    const end = isString ? endOfString(json, at) : endOfNumber(json, at);
    const text = json.slice(at, end);
    parts.push(json.slice(copied, at), isString ? ofString(text) : ofNumber(text));
    copied = end;
    at = end;
  }
  parts.push(json.slice(copied));
  return parts.join('');
}

function endOfString(json: string, start: number): number {
  let quote = json.indexOf('"', start + 1);
  while (isEscaped(json, quote)) quote = json.indexOf('"', quote + 1);
  return quote + 1;
}

function isEscaped(json: string, quote: number): boolean {
  let before = quote - 1;
  while (json.charCodeAt(before) === 0x5c) before--;
  return (quote - before) % 2 === 0;
}

function endOfNumber(json: string, start: number): number {
  ENDS_NUMBER.lastIndex = start;
  return ENDS_NUMBER.exec(json)?.index ?? json.length;
}
