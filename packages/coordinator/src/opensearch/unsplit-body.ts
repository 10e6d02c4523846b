// The lines of a bulk that go on unsplit, byte for byte and in order, as a bulk of their own.
import type { BulkAction } from '../bulk/bulk-action.ts';

const LINE_FEED = 0x0a;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** `actions` are some of those that `body` holds, in its order. */
export function unsplitBody(body: Buffer, actions: readonly Pick<BulkAction, 'kind' | 'line'>[]): Buffer {
  const lines = new LineWalk(body);
  return Buffer.concat(
    actions.map(({ kind, line }) => {
      const start = lines.startOf(line);
      return body.subarray(start, lines.startOf(line + (kind === 'delete' ? 1 : 2)));
    }),
  );
}

/** Goes from line to line, only forward. */
class LineWalk {
  readonly #body: Buffer;
  #line = 1;
  #start: number;

  constructor(body: Buffer) {
    this.#body = body;
    this.#start = body.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
      ? BYTE_ORDER_MARK.length
      : 0;
  }

  /** Where a line begins, by its number from 1; the end of the body for the one behind the last. */
  startOf(line: number): number {
    while (this.#line < line) {
      this.#start = this.#body.indexOf(LINE_FEED, this.#start) + 1;
      this.#line += 1;
    }
    return this.#start;
  }
}
