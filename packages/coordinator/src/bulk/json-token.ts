// What does a byte of a JSON text begin? Named as OpenSearch names it in its errors.

/** What stands at a place of a JSON text, by OpenSearch's names. */
export type Token =
  | 'START_OBJECT'
  | 'END_OBJECT'
  | 'START_ARRAY'
  | 'END_ARRAY'
  | 'FIELD_NAME'
  | 'VALUE_STRING'
  | 'VALUE_NUMBER'
  | 'VALUE_BOOLEAN'
  | 'VALUE_NULL'
  | 'COMMA'
  | 'COLON'
  | 'END_OF_LINE'
  | 'INVALID';

const TOKEN_OF_BYTE: readonly Token[] = Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  if (/[-\d]/.test(character)) return 'VALUE_NUMBER';
  const named: Readonly<Record<string, Token>> = {
    '{': 'START_OBJECT',
    '}': 'END_OBJECT',
    '[': 'START_ARRAY',
    ']': 'END_ARRAY',
    '"': 'VALUE_STRING',
    t: 'VALUE_BOOLEAN',
    f: 'VALUE_BOOLEAN',
    n: 'VALUE_NULL',
    ',': 'COMMA',
    ':': 'COLON',
  };
  return named[character] ?? 'INVALID';
});

/** What a value or sign that begins with this byte is. */
export function tokenOf(byte: number): Token {
  return TOKEN_OF_BYTE[byte] ?? 'INVALID';
}
