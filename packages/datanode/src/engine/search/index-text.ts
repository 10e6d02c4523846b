// A text as the index's tokenizer has to be given it, so that it finds the very words that `analyze` finds.
import { ASCII_ONLY, analyze, MAX_WORD } from './analyze.ts';

/** Apostrophes and dots that join nothing; the tokenizer keeps them as parts of words. */
const STRAY = /['.]{2,}|(?<!\w)['.]|['.](?!\w)/g;

/** Plain ASCII needs no list of its words: the tokenizer cuts it at the same places, once stray signs are gone. */
export function indexText(text: string): string {
  const lower = text.toLowerCase();
  if (ASCII_ONLY.test(lower) && !hasLongWord(lower)) return lower.replace(STRAY, ' ');
  return analyze(text).join(' ');
}

/** A word too long to keep covers one of the places that are its length apart, so only those are looked at. */
function hasLongWord(text: string): boolean {
  for (let at = MAX_WORD; at < text.length; at += MAX_WORD) {
    let start = at;
    while (start > 0 && isWordSign(text.charCodeAt(start - 1))) start--;
    let end = at;
    while (end < text.length && isWordSign(text.charCodeAt(end))) end++;
    if (end - start > MAX_WORD) return true;
  }
  return false;
}

/** Letters, digits and what may join them, in lower case. */
function isWordSign(code: number): boolean {
  const isLetter = code >= 0x61 && code <= 0x7a;
  const isDigit = code >= 0x30 && code <= 0x39;
  return isLetter || isDigit || code === 0x5f || code === 0x27 || code === 0x2e;
}
