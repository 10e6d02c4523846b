// Is this action line like the last one that was read but for its id? Nearly all lines of a body are, and need no second reading.
// Why it holds: where the bytes around a plain string are the same, another plain string in its place changes nothing else.
import type { ActionMembers } from './action-members.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The last line that was read, as a pattern for those that follow. */
export class LinePattern {
  readonly #body: Buffer;
  #known = false;
  #hasId = false;
  #start = 0;
  #end = 0;
  #prefixBytes = 0;
  #suffixBytes = 0;

  constructor(body: Buffer) {
    this.#body = body;
  }

  /** Takes a line that was just read; one with rare members, or an id that is no string, is no pattern. */
  learn(start: number, end: number, { idStart, idEnd, id, hasUncommon }: ActionMembers): void {
    this.#hasId = idStart !== undefined;
    this.#known = !hasUncommon && (this.#hasId || id === undefined);
    this.#start = start;
    this.#end = end;
    this.#prefixBytes = (idStart ?? end) - start;
    this.#suffixBytes = end - (idEnd ?? end);
  }

  /** Whether the line is the pattern with another id of plain ASCII, or the very pattern where that has none. */
  fits(start: number, end: number): boolean {
    const idBytes = end - start - this.#prefixBytes - this.#suffixBytes;
    if (!this.#known || idBytes < 0 || (idBytes > 0 && !this.#hasId)) return false;
    const idStart = start + this.#prefixBytes;
    return (
      this.#isSame(this.#start, start, this.#prefixBytes) &&
      this.#isSame(this.#end - this.#suffixBytes, end - this.#suffixBytes, this.#suffixBytes) &&
      this.#isPlain(idStart, idStart + idBytes)
    );
  }

  /** The id of a line that fits. */
  idOf(start: number, end: number): string | undefined {
    if (!this.#hasId) return undefined;
    return this.#body.toString('latin1', start + this.#prefixBytes, end - this.#suffixBytes);
  }

  #isSame(one: number, other: number, length: number): boolean {
    const body = this.#body;
    for (let offset = 0; offset < length; offset += 1) {
      if (body[one + offset] !== body[other + offset]) return false;
    }
    return true;
  }

  #isPlain(start: number, end: number): boolean {
    const body = this.#body;
    for (let at = start; at < end; at += 1) {
      const byte = body[at] ?? 0;
      if (byte < 0x20 || byte >= 0x80 || byte === QUOTE || byte === BACKSLASH) return false;
    }
    return true;
  }
}
