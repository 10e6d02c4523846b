// Splits the body of a bulk into actions with their documents: action lines are read, documents are kept byte for byte.
import { type OperationKind, WeirError } from '@weir/shared';
import { conditionsOf, kindOf, requireAliasOf } from './action-conditions.ts';
import { MAX_ACTION_LINE_BYTES, readActionLine } from './action-line.ts';
import { ActionMembers } from './action-members.ts';
import { checkNotGzip } from './body-format.ts';
import { type BulkAction, type BulkDefaults, NO_CONDITIONS } from './bulk-action.ts';
import { LineCursor } from './line-cursor.ts';
import { LinePattern } from './line-pattern.ts';
import { problemOf } from './validate-action.ts';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const NO_SOURCE = Buffer.alloc(0);
/** Problems of items that one answer names; a body full of them is told how many more there are. */
const PROBLEMS_SHOWN = 20;

/** Reads one body in steps, so that a large one does not hold up the event loop. Nothing may run before `advance` said that it is done. */
export class BulkParser {
  readonly actions: BulkAction[] = [];
  readonly #body: Buffer;
  readonly #defaults: BulkDefaults;
  readonly #cursor: LineCursor;
  readonly #members = new ActionMembers();
  readonly #pattern: LinePattern;
  #kind: OperationKind = 'index';
  readonly #problems: string[] = [];
  #problemCount = 0;
  #at = 0;
  #line = 0;

  /** Throws where the body as a whole cannot be a bulk. */
  constructor(body: Buffer, defaults: BulkDefaults) {
    this.#body = body;
    this.#defaults = defaults;
    this.#cursor = new LineCursor(body);
    this.#pattern = new LinePattern(body);
    if (body.subarray(0, 3).equals(BYTE_ORDER_MARK)) this.#at = 3;
    if (body.length <= this.#at) throw new WeirError('parse', 'request body is required');
    checkNotGzip(body);
    if (body.at(-1) !== LINE_FEED)
      throw new WeirError(
        'illegal_argument',
        'The bulk request must be terminated by a newline [\\n] (curl: --data-binary instead of -d)',
      );
  }

  /** Reads up to `count` more actions; true once the whole body is read and found good. Throws at the first malformed line. */
  advance(count: number): boolean {
    const until = this.actions.length + count;
    while (this.#at < this.#body.length) {
      if (this.actions.length >= until) return false;
      this.#readAction();
    }
    this.#end();
    return true;
  }

  #readAction(): void {
    const start = this.#at;
    const end = this.#nextLine();
    if (this.#pattern.fits(start, end)) {
      this.#add(this.#action(this.#kind, this.#pattern.idOf(start, end)));
      return;
    }
    const cursor = this.#cursor;
    cursor.startLine(start, end, this.#line);
    if (end - start > MAX_ACTION_LINE_BYTES)
      cursor.fail(`it takes ${end - start} bytes, allowed are ${MAX_ACTION_LINE_BYTES}`);
    if (cursor.peek() === 'END_OF_LINE') return;
    const members = this.#members;
    this.#kind = readActionLine(cursor, members);
    this.#pattern.learn(start, end, members);
    this.#add(members.hasUncommon ? this.#uncommonAction() : this.#action(this.#kind, members.id));
  }

  #action(kind: OperationKind, id: string | undefined): BulkAction {
    const members = this.#members;
    const defaults = this.#defaults;
    return {
      line: this.#line,
      kind,
      index: members.index ?? defaults.index,
      id,
      routing: members.routing ?? defaults.routing,
      source: kind === 'delete' ? NO_SOURCE : this.#readSource(kind),
      conditions: NO_CONDITIONS,
      requireAlias: defaults.requireAlias,
      pipeline: defaults.pipeline,
      fetchSource: defaults.fetchSource,
    };
  }

  #uncommonAction(): BulkAction {
    const members = this.#members;
    const cursor = this.#cursor;
    const defaults = this.#defaults;
    const kind = kindOf(this.#kind, members, cursor);
    const conditions = conditionsOf(members, cursor);
    return {
      ...this.#action(kind, members.id),
      conditions,
      requireAlias: requireAliasOf(members, cursor) ?? defaults.requireAlias,
      pipeline: members.text('pipeline') ?? defaults.pipeline,
      fetchSource: members.fetchSource ?? defaults.fetchSource,
    };
  }

  #readSource(kind: OperationKind): Buffer {
    const start = this.#at;
    if (start >= this.#body.length)
      throw new WeirError(
        'illegal_argument',
        `Malformed action/metadata line [${this.#line}], the document of its [${kind}] is missing: the body ends here`,
      );
    const end = this.#nextLine();
    const trimmed = end > start && this.#body[end - 1] === CARRIAGE_RETURN ? end - 1 : end;
    return this.#body.subarray(start, trimmed);
  }

  /** Moves behind the next line feed and gives its place; there always is one, the body ends with it. */
  #nextLine(): number {
    const end = this.#body.indexOf(LINE_FEED, this.#at);
    this.#at = end + 1;
    this.#line += 1;
    return end;
  }

  #add(action: BulkAction): void {
    this.actions.push(action);
    const problem = problemOf(action);
    if (problem === undefined) return;
    this.#problemCount += 1;
    if (this.#problems.length < PROBLEMS_SHOWN)
      this.#problems.push(`${problem} (item [${this.actions.length}], line [${action.line}])`);
  }

  #end(): void {
    if (this.actions.length === 0) this.#problems.push('no requests added');
    if (this.#problems.length === 0) return;
    const shown = this.#problems.map((problem, position) => `${position + 1}: ${problem};`).join('');
    const more = this.#problemCount - this.#problems.length;
    throw new WeirError(
      'validation',
      `Validation Failed: ${shown}${more > 0 ? ` and ${more} more of this kind` : ''}`,
    );
  }
}
