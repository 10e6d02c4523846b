// Which keys have the objects that are open at this moment? Found again by hash, so that a second one of a name is noticed cheaply.

/** From this many keys on an object keeps a set: comparing each with each would make a wide object cost the square of its size. */
const WIDE = 128;

export class ObjectKeys {
  #bytes: Buffer = Buffer.alloc(0);
  #hashes = new Int32Array(256);
  #starts = new Int32Array(256);
  #ends = new Int32Array(256);
  #count = 0;
  /** Where the keys of each open object begin. */
  #firsts = new Int32Array(64);
  #open = 0;
  readonly #wide = new Map<number, Set<string>>();

  /** Forgets all; `bytes` is what positions mean from now on. */
  reset(bytes: Buffer): void {
    this.#bytes = bytes;
    this.#count = 0;
    this.#open = 0;
    this.#wide.clear();
  }

  open(): void {
    if (this.#open === this.#firsts.length) this.#firsts = grown(this.#firsts);
    this.#firsts[this.#open++] = this.#count;
  }

  close(): void {
    this.#wide.delete(this.#open);
    this.#open--;
    this.#count = this.#firsts[this.#open] ?? 0;
  }

  /** Adds the key whose text stands from `start` to `end` (without quotes) to the innermost object; false when it has one of this name. */
  add(start: number, end: number): boolean {
    const wide = this.#wideSet();
    if (wide === undefined) return this.#addNarrow(start, end);
    const size = wide.size;
    return wide.add(this.#text(start, end)).size > size;
  }

  #addNarrow(start: number, end: number): boolean {
    const hash = this.#hash(start, end);
    for (let at = this.#firsts[this.#open - 1] ?? 0; at < this.#count; at++)
      if (this.#hashes[at] === hash && this.#textAt(at) === this.#text(start, end)) return false;
    if (this.#count === this.#hashes.length) this.#grow();
    this.#hashes[this.#count] = hash;
    this.#starts[this.#count] = start;
    this.#ends[this.#count++] = end;
    return true;
  }

  #wideSet(): Set<string> | undefined {
    const first = this.#firsts[this.#open - 1] ?? 0;
    if (this.#count - first < WIDE) return undefined;
    let set = this.#wide.get(this.#open);
    if (set === undefined) {
      set = new Set();
      for (let at = first; at < this.#count; at++) set.add(this.#textAt(at));
      this.#wide.set(this.#open, set);
    }
    return set;
  }

  /** FNV-1a over the key's UTF-8; two spellings of one key have one hash. */
  #hash(start: number, end: number): number {
    let hash = 0x811c9dc5 | 0;
    for (let at = start; at < end; at++) {
      const byte = this.#bytes[at] ?? 0;
      if (byte === 0x5c) return this.#hashOfText(this.#text(start, end));
      hash = Math.imul(hash ^ byte, 0x01000193);
    }
    return hash;
  }

  #hashOfText(text: string): number {
    let hash = 0x811c9dc5 | 0;
    for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193);
    return hash;
  }

  #textAt(at: number): string {
    return this.#text(this.#starts[at] ?? 0, this.#ends[at] ?? 0);
  }

  #text(start: number, end: number): string {
    const text = this.#bytes.toString('utf8', start, end);
    return text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text;
  }

  #grow(): void {
    this.#hashes = grown(this.#hashes);
    this.#starts = grown(this.#starts);
    this.#ends = grown(this.#ends);
  }
}

function grown(array: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2);
  larger.set(array);
  return larger;
}
