// Where does a string, a number or a word of JSON end? Over bytes, without making a value of any of them.

const BACKSLASH = 0x5c;
const LOWER_U = 0x75;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;

/** 0: any byte of a string, 1: its end, 2: a backslash, 3: not allowed inside one. */
const STRING_BYTE = new Uint8Array(256);
STRING_BYTE.fill(3, 0, 0x20);
STRING_BYTE[0x22] = 1;
STRING_BYTE[BACKSLASH] = 2;

const ESCAPED = marked('"\\/bfnrtu');
const HEX = marked('0123456789abcdefABCDEF');
const SPACE = marked(' \t\n\r');

function marked(characters: string): Uint8Array {
  const marks = new Uint8Array(256);
  for (const character of characters) marks[character.charCodeAt(0)] = 1;
  return marks;
}

/** Position of the first byte at or after `at` that is no white space. */
export function skipSpace(bytes: Uint8Array, at: number): number {
  let next = at;
  while (SPACE[bytes[next] ?? 0] === 1) next++;
  return next;
}

/** Position after the string whose opening quote is before `at`; a fault at position p is answered as -p - 1. */
export function skipString(bytes: Uint8Array, at: number): number {
  const end = bytes.length;
  let next = at;
  while (next < end) {
    const kind = STRING_BYTE[bytes[next] ?? 0];
    if (kind === 0) next++;
    else if (kind === 1) return next + 1;
    else if (kind === 3) break;
    else {
      next = skipEscape(bytes, next + 1);
      if (next < 0) return next;
    }
  }
  return fault(next);
}

function skipEscape(bytes: Uint8Array, at: number): number {
  const letter = bytes[at] ?? 0;
  if (ESCAPED[letter] !== 1) return fault(at);
  if (letter !== LOWER_U) return at + 1;
  for (let digit = at + 1; digit <= at + 4; digit++) if (HEX[bytes[digit] ?? 0] !== 1) return fault(digit);
  return at + 5;
}

/** Position after the number at `at`; a fault as above. */
function skipNumber(bytes: Uint8Array, at: number): number {
  const whole = bytes[at] === MINUS ? at + 1 : at;
  let next = bytes[whole] === ZERO ? whole + 1 : skipDigits(bytes, whole);
  if (next >= 0 && bytes[next] === 0x2e) next = skipDigits(bytes, next + 1);
  if (next >= 0 && (bytes[next] === 0x65 || bytes[next] === 0x45)) {
    const signed = bytes[next + 1] === 0x2b || bytes[next + 1] === MINUS;
    next = skipDigits(bytes, next + (signed ? 2 : 1));
  }
  return next;
}

function skipDigits(bytes: Uint8Array, at: number): number {
  let next = at;
  while (isDigit(bytes[next])) next++;
  return next === at ? fault(at) : next;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= NINE;
}

const WORDS = ['true', 'false', 'null'].map((word) => Buffer.from(word));

/** Position after `true`, `false` or `null` at `at`; a fault as above. */
function skipWord(bytes: Uint8Array, at: number): number {
  const word = WORDS.find((candidate) => candidate[0] === bytes[at]);
  if (word === undefined) return fault(at);
  for (let offset = 1; offset < word.length; offset++)
    if (bytes[at + offset] !== word[offset]) return fault(at + offset);
  return at + word.length;
}

/** Position after the string, number or word at `at`; a fault as above. */
export function skipScalar(bytes: Uint8Array, at: number): number {
  const first = bytes[at];
  if (first === 0x22) return skipString(bytes, at + 1);
  if (first === MINUS || isDigit(first)) return skipNumber(bytes, at);
  return skipWord(bytes, at);
}

function fault(position: number): number {
  return -position - 1;
}
