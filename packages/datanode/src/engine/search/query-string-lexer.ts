// The pieces of a query_string: words, phrases, field names, operators and brackets; what has a meaning that is not supported is named.
import { WeirError } from '@weir/shared/errors';
import { shown } from './query-parameters.ts';

export type Lexeme =
  | { readonly kind: 'open' | 'close' | 'and' | 'or' | 'not' | 'plus' }
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'phrase'; readonly text: string }
  | { readonly kind: 'word'; readonly text: string }
  /** `text*`; an empty text is a lone `*`. */
  | { readonly kind: 'prefix'; readonly text: string };

type Reader = { readonly text: string; at: number };

const SIGNS: Readonly<Record<string, Lexeme>> = {
  '(': { kind: 'open' },
  ')': { kind: 'close' },
  '&&': { kind: 'and' },
  '||': { kind: 'or' },
  '!': { kind: 'not' },
  '-': { kind: 'not' },
  '+': { kind: 'plus' },
};
const OPERATORS: Readonly<Record<string, Lexeme>> = {
  AND: { kind: 'and' },
  OR: { kind: 'or' },
  NOT: { kind: 'not' },
};

const ENDS_WORD = /[\s()"]/;
/** Fuzziness, boosts, single-letter wildcards, ranges and regular expressions. */
const UNSUPPORTED = '~^?[]{}/';

/** Splits the text; throws a `parsing` error for what it cannot read. */
export function lexQueryString(text: string): readonly Lexeme[] {
  const reader: Reader = { text, at: 0 };
  const lexemes: Lexeme[] = [];
  for (;;) {
    while (/\s/.test(text[reader.at] ?? '')) reader.at++;
    if (reader.at >= text.length) return lexemes;
    lexemes.push(next(reader));
  }
}

function next(reader: Reader): Lexeme {
  const two = reader.text.slice(reader.at, reader.at + 2);
  const sign = two === '&&' || two === '||' ? two : (two[0] ?? '');
  const lexeme = Object.hasOwn(SIGNS, sign) ? SIGNS[sign] : undefined;
  if (lexeme !== undefined) {
    reader.at += sign.length;
    return lexeme;
  }
  return sign === '"' ? phrase(reader) : word(reader);
}

function phrase(reader: Reader): Lexeme {
  const start = reader.at++;
  let text = '';
  for (;;) {
    const character = reader.text[reader.at++];
    if (character === undefined)
      throw unreadable(reader.text, `the phrase from character ${start} has no end`);
    if (character === '"') break;
    text += character === '\\' ? (reader.text[reader.at++] ?? '') : character;
  }
  if ('~^'.includes(reader.text[reader.at] ?? ' '))
    throw unsupportedSign(reader, reader.text[reader.at] ?? '');
  return { kind: 'phrase', text };
}

function word(reader: Reader): Lexeme {
  let text = '';
  for (;;) {
    const character = reader.text[reader.at] ?? ' ';
    if (ENDS_WORD.test(character)) break;
    if (character === '*') return prefix(reader, text);
    refuseUnsupported(reader, character, text === '');
    reader.at++;
    if (character === ':') return field(reader, text);
    text += character === '\\' ? escaped(reader) : character;
  }
  return (Object.hasOwn(OPERATORS, text) ? OPERATORS[text] : undefined) ?? { kind: 'word', text };
}

function refuseUnsupported(reader: Reader, character: string, isFirst: boolean): void {
  if (UNSUPPORTED.includes(character) || (isFirst && '<>='.includes(character)))
    throw unsupportedSign(reader, character);
}

function prefix(reader: Reader, text: string): Lexeme {
  reader.at++;
  if (!ENDS_WORD.test(reader.text[reader.at] ?? ' '))
    throw unreadable(reader.text, 'a wildcard is supported at the end of a word only');
  return { kind: 'prefix', text };
}

function field(reader: Reader, name: string): Lexeme {
  if (name === '') throw unreadable(reader.text, `a field name is missing before character ${reader.at - 1}`);
  return { kind: 'field', name };
}

function escaped(reader: Reader): string {
  const character = reader.text[reader.at++];
  if (character === undefined) throw unreadable(reader.text, 'nothing follows the last backslash');
  return character;
}

function unsupportedSign(reader: Reader, sign: string): WeirError {
  return unreadable(
    reader.text,
    `[${sign}] at character ${reader.at} is not supported, write \\${sign} to search for it`,
  );
}

/** An error in OpenSearch's words, with what was wrong. */
export function unreadable(text: string, why: string): WeirError {
  return new WeirError('parsing', `Failed to parse query [${shown(text)}]: ${why}`);
}
