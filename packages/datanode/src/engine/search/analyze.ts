// Which words is a text found by? Lower case, cut as OpenSearch's standard analyzer cuts: runs of letters and digits, Han and Hiragana sign by sign.

/** Longer words are cut here, as in OpenSearch; a word of any length would be one entry of the index. */
export const MAX_WORD = 255;

export const ASCII_ONLY = /^\p{ASCII}*$/u;
const ASCII_WORD = /[a-z0-9_]+(?:['.][a-z0-9_]+)*/g;
const SIGN = '[\\p{sc=Han}\\p{sc=Hiragana}\\p{Extended_Pictographic}]';
const LETTER = `(?!${SIGN})[\\p{L}\\p{M}\\p{N}_]`;
const LETTERS = `(?!\\p{M})(?:${LETTER})+`;
const WORD = new RegExp(`${SIGN}|${LETTERS}(?:['.\u2019]${LETTERS})*`, 'gu');

/** The words of a text in order. */
export function analyze(text: string): readonly string[] {
  const lower = text.toLowerCase();
  const words = lower.match(ASCII_ONLY.test(lower) ? ASCII_WORD : WORD) ?? [];
  return words.some((word) => word.length > MAX_WORD) ? words.flatMap(cut) : words;
}

/** What stands before a `*`: a word never holds other ASCII signs than these. */
const PREFIX = /^(?:\w|\P{ASCII})(?:[\w'.]|\P{ASCII})*$/u;

/** The beginning of a word as `analyze` would write it; undefined where no word can begin so. */
export function analyzePrefix(prefix: string): string | undefined {
  const lower = prefix.toLowerCase();
  return PREFIX.test(lower) ? lower.slice(0, MAX_WORD) : undefined;
}

function cut(word: string): readonly string[] {
  return word.match(new RegExp(`.{1,${MAX_WORD}}`, 'gsu')) ?? [];
}
