// Walks over one line of JSON byte by byte, so that an action line costs neither an object nor a second reading.
import { isUtf8 } from 'node:buffer';
import { WeirError } from '@weir/shared';
import { type Token, tokenOf } from './json-token.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** Characters of a client's text that an error shows. */
const SHOWN_CHARACTERS = 100;

/** A cursor over the lines of one body; `startLine` puts it on a line, the other methods move it forward. */
export class LineCursor {
  readonly #body: Buffer;
  #at = 0;
  #end = 0;
  #line = 0;

  constructor(body: Buffer) {
    this.#body = body;
  }

  startLine(start: number, end: number, line: number): void {
    this.#at = start;
    this.#end = end;
    this.#line = line;
  }

  /** Place of the next byte in the body. */
  get at(): number {
    return this.#at;
  }

  /** Skips white space and names what comes next, without moving onto it. */
  peek(): Token {
    const body = this.#body;
    let at = this.#at;
    while (at < this.#end) {
      const byte = body[at];
      if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d) break;
      at += 1;
    }
    this.#at = at;
    return at < this.#end ? tokenOf(body[at] ?? 0) : 'END_OF_LINE';
  }

  /** Moves over one of `{}[]:,`, or fails naming what is there instead. */
  take(wanted: Token): void {
    const found = this.peek();
    if (found !== wanted) this.failFound(wanted, found);
    this.#at += 1;
  }

  /** Moves over a string: one of `known` where it is one, so that nothing is made of the words that come again and again. */
  word(known: readonly string[]): string {
    const start = this.#at + 1;
    for (const word of known) {
      const closing = start + word.length;
      if (closing < this.#end && this.#body[closing] === QUOTE && this.#isAt(start, word)) {
        this.#at = closing + 1;
        return word;
      }
    }
    return this.string();
  }

  /** Moves over a string and gives its text. */
  string(): string {
    const body = this.#body;
    const end = this.#end;
    const start = this.#at + 1;
    let escaped = false;
    let all = 0;
    let at = start;
    for (; at < end; at += 1) {
      const byte = body[at] ?? 0;
      if (byte === QUOTE) break;
      if (byte < 0x20) this.fail(`control character 0x${byte.toString(16).padStart(2, '0')} inside a string`);
      if (byte === BACKSLASH) {
        escaped = true;
        at += 1;
      }
      all |= byte;
    }
    if (at >= end) this.fail('a string does not end on its line');
    this.#at = at + 1;
    if (escaped) return this.#unescaped(start, at);
    return all < 0x80 ? body.toString('latin1', start, at) : this.#utf8(start, at);
  }

  /** Moves over a string, number, true, false or null and gives its text; undefined for null. */
  scalar(token: Token): string | undefined {
    if (token === 'VALUE_STRING') return this.string();
    const text = this.#bareText();
    if (token === 'VALUE_NUMBER' && NUMBER.test(text)) return text;
    if (token === 'VALUE_BOOLEAN' && (text === 'true' || text === 'false')) return text;
    if (token === 'VALUE_NULL' && text === 'null') return undefined;
    return this.fail(`unrecognized token [${shown(text)}]`);
  }

  /** The same for the value of a field that takes nothing else. */
  simpleValue(field: string): string | undefined {
    const token = this.peek();
    if (token === 'START_OBJECT' || token === 'START_ARRAY')
      this.fail(`expected a simple value for field [${field}] but found [${token}]`);
    return this.scalar(token);
  }

  /** Moves over an object or a list and gives its JSON text; whether that is valid is the caller's to find out. */
  nestedText(): string {
    const start = this.#at;
    let depth = 0;
    do {
      const token = this.peek();
      if (token === 'END_OF_LINE') this.fail('an object or list does not end on its line');
      if (token === 'VALUE_STRING') {
        this.string();
        continue;
      }
      if (token === 'START_OBJECT' || token === 'START_ARRAY') depth += 1;
      if (token === 'END_OBJECT' || token === 'END_ARRAY') depth -= 1;
      this.#at += 1;
    } while (depth > 0);
    return this.#utf8(start, this.#at);
  }

  /** Text of the line from here to its end. */
  rest(): string {
    return this.#utf8(this.#at, this.#end);
  }

  /** Fails with OpenSearch's words for a token in the wrong place. */
  failFound(wanted: string, found: Token): never {
    if (found === 'INVALID') this.fail(`unrecognized token [${shown(this.#bareText())}]`);
    this.fail(`expected ${wanted} but found [${found}]`);
  }

  fail(problem: string): never {
    throw new WeirError('illegal_argument', `Malformed action/metadata line [${this.#line}], ${problem}`);
  }

  #isAt(start: number, word: string): boolean {
    for (let at = 0; at < word.length; at += 1) {
      if (this.#body[start + at] !== word.charCodeAt(at)) return false;
    }
    return true;
  }

  #unescaped(start: number, end: number): string {
    const text = this.#utf8(start, end);
    try {
      return JSON.parse(`"${text}"`) as string;
    } catch {
      return this.fail(`string ["${shown(text)}"] holds an escape that JSON does not know`);
    }
  }

  #utf8(start: number, end: number): string {
    if (!isUtf8(this.#body.subarray(start, end))) this.fail('its bytes are not valid UTF-8');
    return this.#body.toString('utf8', start, end);
  }

  #bareText(): string {
    const body = this.#body;
    const start = this.#at;
    let at = start;
    while (at < this.#end && !isDelimiter(body[at] ?? 0)) at += 1;
    this.#at = at;
    return body.toString('utf8', start, at);
  }
}

function isDelimiter(byte: number): boolean {
  return byte <= 0x20 || byte === 0x2c || byte === 0x3a || byte === 0x7d || byte === 0x5d || byte === QUOTE;
}

/** A client's text as an error shows it: no longer than a person reads. */
export function shown(text: string): string {
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}
