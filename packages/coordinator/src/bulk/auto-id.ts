// Makes ids for documents that came without one: 20 characters, in order of time, safe in a URL.
import type { Clock, Rng } from '@weir/shared';

/** In order of their bytes, so that ids sort as the time they were made at. */
const ALPHABET = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz';
/** Two characters for each value of a counter of 12 bits. */
const PAIRS = Array.from({ length: 4_096 }, (_, value) => encode(value, 2));
/** Added to the time so that ids begin with a letter: 11 is the place of `A`, and a time of 42 bits (until 2109) leaves the first 6 of 48 bits free. */
const FIRST_LETTER = 11 * 2 ** 42;

/** 48 bits of time, 12 of a counter within the millisecond, 60 of chance drawn once per maker, so that no two makers meet. */
export class AutoIds {
  readonly #clock: Clock;
  readonly #suffix: string;
  #timeMs = 0;
  #timePart = '';
  #counter = PAIRS.length;

  constructor(clock: Clock, rng: Rng) {
    this.#clock = clock;
    this.#suffix = [...rng.bytes(10)].map((byte) => ALPHABET[byte % 64]).join('');
  }

  /** A new id, greater than all before it: time runs ahead where its counter is used up, and stands where the wall clock is set back. */
  next(): string {
    const wallMs = Math.floor(this.#clock.wallMs());
    if (wallMs > this.#timeMs) this.#startAt(wallMs);
    else if (this.#counter === PAIRS.length) this.#startAt(this.#timeMs + 1);
    const id = this.#timePart + (PAIRS[this.#counter] ?? '') + this.#suffix;
    this.#counter += 1;
    return id;
  }

  #startAt(timeMs: number): void {
    this.#timeMs = timeMs;
    this.#timePart = encode((timeMs % 2 ** 42) + FIRST_LETTER, 8);
    this.#counter = 0;
  }
}

function encode(value: number, length: number): string {
  let rest = value;
  let text = '';
  for (let digit = 0; digit < length; digit += 1) {
    text = (ALPHABET[rest % 64] ?? '') + text;
    rest = Math.floor(rest / 64);
  }
  return text;
}
