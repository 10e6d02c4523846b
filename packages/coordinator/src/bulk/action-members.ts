// What stands inside an action object: each key is known by name and given at most once.
import type { SourceFilter } from '@weir/shared';
import { readFetchSource } from './fetch-source.ts';
import { type LineCursor, shown } from './line-cursor.ts';

/** In order of how often they are seen. `_type` is tolerated and means nothing. */
const KEYS = [
  '_index',
  '_id',
  'routing',
  '_type',
  'version',
  'version_type',
  'if_seq_no',
  'if_primary_term',
  'retry_on_conflict',
  'pipeline',
  'require_alias',
  'op_type',
  '_source',
] as const;
export type MemberKey = (typeof KEYS)[number];

const ID_POSITION = KEYS.indexOf('_id');
const SOURCE_POSITION = KEYS.indexOf('_source');
/** Bits of the first four keys: a line with no others is the common case. */
const COMMON_BITS = 0b1111;

/** The members of one action object at a time; one instance serves all lines of a body, so that a line costs no object of its own. */
export class ActionMembers {
  readonly #values: (string | undefined)[] = KEYS.map(() => undefined);
  #fetchSource: SourceFilter | undefined;
  /** A bit for each key the line gave. */
  #seen = 0;
  /** Where the text of the id stands in the body; undefined where it is absent or no string. */
  idStart: number | undefined;
  idEnd: number | undefined;

  /** Reads the members up to and with the closing brace. */
  read(cursor: LineCursor): void {
    this.#forget();
    if (cursor.peek() === 'END_OBJECT') {
      cursor.take('END_OBJECT');
      return;
    }
    for (;;) {
      this.#readMember(cursor);
      if (cursor.peek() !== 'COMMA') break;
      cursor.take('COMMA');
    }
    cursor.take('END_OBJECT');
  }

  get index(): string | undefined {
    return this.#values[0];
  }

  get id(): string | undefined {
    return this.#values[1];
  }

  get routing(): string | undefined {
    return this.#values[2];
  }

  get fetchSource(): SourceFilter | undefined {
    return this.#fetchSource;
  }

  /** Whether there is anything beside index, id and routing. */
  get hasUncommon(): boolean {
    return this.#seen > COMMON_BITS;
  }

  /** Text of a member; an absent one and null are the same. */
  text(key: Exclude<MemberKey, '_source'>): string | undefined {
    return this.#values[KEYS.indexOf(key)];
  }

  #readMember(cursor: LineCursor): void {
    const token = cursor.peek();
    if (token !== 'VALUE_STRING') cursor.failFound('FIELD_NAME', token);
    const key = cursor.word(KEYS);
    const position = KEYS.indexOf(key as MemberKey);
    if (position < 0) cursor.fail(`it contains an unknown parameter [${shown(key)}]`);
    const bit = 1 << position;
    if ((this.#seen & bit) !== 0) cursor.fail(`duplicate key [${key}]`);
    this.#seen |= bit;
    cursor.take('COLON');
    if (position === SOURCE_POSITION) this.#fetchSource = readFetchSource(cursor);
    else if (position === ID_POSITION) this.#readId(cursor);
    else this.#values[position] = cursor.simpleValue(key);
  }

  #readId(cursor: LineCursor): void {
    const isString = cursor.peek() === 'VALUE_STRING';
    const start = cursor.at;
    this.#values[ID_POSITION] = cursor.simpleValue('_id');
    if (!isString) return;
    this.idStart = start + 1;
    this.idEnd = cursor.at - 1;
  }

  #forget(): void {
    if (this.#seen === 0) return;
    this.#seen = 0;
    this.#values.fill(undefined);
    this.#fetchSource = undefined;
    this.idStart = undefined;
    this.idEnd = undefined;
  }
}
