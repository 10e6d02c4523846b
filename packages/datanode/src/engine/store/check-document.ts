// Is this a JSON object that can be kept byte for byte? Checked without building it: JSON.parse takes the last of two equal keys in
// silence, and a hundred megabytes of brackets would make it build gigabytes.
import { isUtf8 } from 'node:buffer';
import { printable } from '../printable.ts';
import { skipScalar, skipSpace, skipString } from './json-lexemes.ts';
import { ObjectKeys } from './object-keys.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** OpenSearch's own bound; what is nested deeper cannot be read by most of those who would get it back. */
const DEEPEST = 1_000;

/** What may stand next. */
const VALUE = 0;
const VALUE_OR_END = 1;
const KEY = 2;
const KEY_OR_END = 3;
const AFTER_VALUE = 4;

/** One check at a time; kept between documents so that its arrays are. */
class DocumentCheck {
  readonly #keys = new ObjectKeys();
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;
  #next = VALUE;
  /** 1 for an object, 0 for an array, by depth. */
  readonly #containers = new Uint8Array(DEEPEST);
  #depth = 0;
  #fault: string | undefined;

  run(source: Buffer): string | undefined {
    this.#bytes = source;
    this.#keys.reset(source);
    this.#depth = 0;
    this.#next = VALUE;
    this.#fault = undefined;
    this.#at = skipSpace(source, 0);
    if (source[this.#at] !== OPEN_OBJECT && this.#at < source.length)
      return 'a document has to be a JSON object';
    do this.#step();
    while (this.#depth > 0 && this.#fault === undefined);
    this.#skipSpace();
    if (this.#fault === undefined && this.#at < source.length) this.#failAt(this.#at);
    return this.#fault;
  }

  #step(): void {
    this.#skipSpace();
    const byte = this.#bytes[this.#at];
    if (this.#next === AFTER_VALUE) this.#afterValue(byte);
    else if (this.#next === KEY || (this.#next === KEY_OR_END && byte !== CLOSE_OBJECT)) this.#key(byte);
    else if (this.#next === KEY_OR_END || (this.#next === VALUE_OR_END && byte === CLOSE_ARRAY))
      this.#close();
    else this.#value(byte);
  }

  #value(byte: number | undefined): void {
    if (byte === OPEN_OBJECT) this.#open(1, KEY_OR_END);
    else if (byte === OPEN_ARRAY) this.#open(0, VALUE_OR_END);
    else {
      this.#moveTo(skipScalar(this.#bytes, this.#at));
      this.#next = AFTER_VALUE;
    }
  }

  #key(byte: number | undefined): void {
    const start = this.#at + 1;
    if (byte === QUOTE) this.#moveTo(skipString(this.#bytes, start));
    else this.#failAt(this.#at);
    if (this.#fault !== undefined) return;
    const end = this.#at - 1;
    this.#skipSpace();
    if (!this.#keys.add(start, end)) this.#failTwice(start, end);
    else if (this.#bytes[this.#at] !== COLON) this.#failAt(this.#at);
    this.#at++;
    this.#next = VALUE;
  }

  #afterValue(byte: number | undefined): void {
    const inObject = this.#containers[this.#depth - 1] === 1;
    if (byte === COMMA) {
      this.#at++;
      this.#next = inObject ? KEY : VALUE;
    } else if (byte === (inObject ? CLOSE_OBJECT : CLOSE_ARRAY)) this.#close();
    else this.#failAt(this.#at);
  }

  #open(container: 0 | 1, next: number): void {
    if (this.#depth === DEEPEST) {
      this.#fault = `more than ${DEEPEST} levels of nesting at byte ${this.#at}`;
      return;
    }
    this.#containers[this.#depth++] = container;
    if (container === 1) this.#keys.open();
    this.#at++;
    this.#next = next;
  }

  #close(): void {
    if (this.#containers[--this.#depth] === 1) this.#keys.close();
    this.#at++;
    this.#next = AFTER_VALUE;
  }

  #moveTo(position: number): void {
    if (position < 0) this.#failAt(-position - 1);
    else this.#at = position;
  }

  #skipSpace(): void {
    this.#at = skipSpace(this.#bytes, this.#at);
  }

  #failAt(position: number): void {
    this.#fault = `${describe(this.#bytes[position])} at byte ${position}`;
  }

  #failTwice(start: number, end: number): void {
    const name = printable(this.#bytes.toString('utf8', start, end));
    this.#fault = `key [${name}] stands twice in one object, the second time at byte ${start - 1}`;
  }
}

function describe(byte: number | undefined): string {
  if (byte === undefined) return 'the JSON ends too early';
  const hex = `0x${byte.toString(16).padStart(2, '0')}`;
  if (byte < 0x20) return `control character ${hex} that is not escaped`;
  return byte < 0x7f ? `unexpected [${String.fromCharCode(byte)}]` : `unexpected byte ${hex}`;
}

const check = new DocumentCheck();

/** What is wrong with a document, in words that hold none of its control characters; undefined for one that can be stored. */
export function documentFault(source: Buffer): string | undefined {
  if (!isUtf8(source)) return 'the document is not valid UTF-8';
  return check.run(source);
}
