// Cuts the answer to a bulk into its items without making objects of them, so that each reaches the client as it was given.

import type { GivenItem } from './operation.ts';

/** The items of `{"took":…,"errors":…,"items":[{"index":{…}},…]}`; undefined where the body is no such answer, or not a whole one. */
export function readBulkAnswer(body: Buffer): readonly GivenItem[] | undefined {
  const cursor = new JsonCursor(body.toString());
  try {
    let items: readonly GivenItem[] | undefined;
    cursor.members((key) => {
      if (key === 'items') items = readItems(cursor);
      else cursor.skipValue();
    });
    cursor.end();
    return items;
  } catch (thrown) {
    if (thrown instanceof NotTheForm) return undefined;
    throw thrown;
  }
}

function readItems(cursor: JsonCursor): readonly GivenItem[] {
  const items: GivenItem[] = [];
  cursor.elements(() => {
    const written = takeWritten(cursor);
    if (written === undefined) cursor.members(() => items.push(readItem(cursor)));
    else items.push(written);
  });
  return items;
}

/**
 * What nearly every item is: a write that was done, told in OpenSearch's own order. A pattern finds its end many times faster than the walk, and does
 * so from the first bulk on, where the walk waits for the compiler.
 */
const WRITTEN =
  /\{"\w+":\{"_index":"[^"\\]*",(?:"_type":"\w+",)?"_id":"[^"\\]*","_version":\d+,"result":"\w+",(?:"forced_refresh":true,)?"_shards":\{"total":\d+,"successful":\d+,"failed":\d+\},"_seq_no":\d+,"_primary_term":\d+,"status":[1-5]\d\d\}\}/y;
const STATUS_AND_BRACES = 5;

/** The item here if it is one of those; the cursor then stands behind it, else where it was. */
function takeWritten(cursor: JsonCursor): GivenItem | undefined {
  const { at, text } = cursor;
  WRITTEN.lastIndex = at;
  if (!WRITTEN.test(text)) return undefined;
  const end = WRITTEN.lastIndex;
  cursor.at = end;
  const status = Number(text.slice(end - STATUS_AND_BRACES, end - 2));
  return { ok: true, status, body: text.slice(text.indexOf('{', at + 1), end - 1) };
}

function readItem(cursor: JsonCursor): GivenItem {
  let ok = true;
  let status = 0;
  const start = cursor.at;
  cursor.members((key) => {
    if (key === 'error') ok = false;
    const from = cursor.at;
    cursor.skipValue();
    if (key === 'status') status = Number(cursor.text.slice(from, cursor.at));
  });
  if (!(status >= 100 && status <= 599)) throw new NotTheForm();
  return { ok, status, body: cursor.text.slice(start, cursor.at) };
}

/** Thrown inside this file where the text is not what it should be. */
class NotTheForm extends Error {}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const SPACE = 0x20;

/** Walks over JSON text that was written by a JSON writer: it finds where values end, it does not judge what they hold. */
class JsonCursor {
  readonly text: string;
  at = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** Calls `visit` at the value of each member of the object here, and stands behind the object afterwards. */
  members(visit: (key: string) => void): void {
    this.#list(OPEN_BRACE, CLOSE_BRACE, () => {
      const start = this.#next();
      this.#skipString();
      const key = this.text.slice(start + 1, this.at - 1);
      this.#take(COLON);
      this.#next();
      visit(key);
    });
  }

  /** The same for the elements of an array. */
  elements(visit: () => void): void {
    this.#list(OPEN_BRACKET, CLOSE_BRACKET, visit);
  }

  skipValue(): void {
    const first = this.#code();
    if (first === QUOTE) this.#skipString();
    else if (first === OPEN_BRACE || first === OPEN_BRACKET) this.#skipNested();
    else this.#skipScalar();
  }

  /** Nothing but white space is left. */
  end(): void {
    if (this.#next() !== this.text.length) throw new NotTheForm();
  }

  #list(open: number, close: number, visit: () => void): void {
    this.#take(open);
    if (this.text.charCodeAt(this.#next()) === close) {
      this.at += 1;
      return;
    }
    for (;;) {
      this.#next();
      visit();
      this.#next();
      const separator = this.#code();
      this.at += 1;
      if (separator === close) return;
      if (separator !== COMMA) throw new NotTheForm();
    }
  }

  #take(code: number): void {
    this.#next();
    if (this.#code() !== code) throw new NotTheForm();
    this.at += 1;
  }

  /** Skips white space; returns the place of what follows. */
  #next(): number {
    while (this.text.charCodeAt(this.at) <= SPACE) this.at += 1;
    return this.at;
  }

  #code(): number {
    return this.text.charCodeAt(this.at);
  }

  #skipString(): void {
    if (this.#code() !== QUOTE) throw new NotTheForm();
    for (let from = this.at + 1; ; ) {
      const end = this.text.indexOf('"', from);
      if (end < 0) throw new NotTheForm();
      let escapes = 0;
      while (this.text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes += 1;
      from = end + 1;
      if (escapes % 2 === 0) {
        this.at = from;
        return;
      }
    }
  }

  #skipNested(): void {
    let depth = 0;
    do {
      const code = this.#code();
      if (Number.isNaN(code)) throw new NotTheForm();
      if (code === QUOTE) {
        this.#skipString();
        continue;
      }
      if (code === OPEN_BRACE || code === OPEN_BRACKET) depth += 1;
      else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth -= 1;
      this.at += 1;
    } while (depth > 0);
  }

  #skipScalar(): void {
    const start = this.at;
    while (!endsScalar(this.#code())) this.at += 1;
    if (this.at === start) throw new NotTheForm();
  }
}

function endsScalar(code: number): boolean {
  return (
    Number.isNaN(code) || code === COMMA || code === CLOSE_BRACE || code === CLOSE_BRACKET || code <= SPACE
  );
}
