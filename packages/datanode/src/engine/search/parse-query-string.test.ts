import { describe, expect, it } from '@jest/globals';
import { parseQuery } from './parse-query.ts';
import type { Query } from './query.ts';

const parse = (query: unknown, given: object = {}): Query =>
  parseQuery({ query_string: { query, ...given } });

/** A query in a line: `+` must, `-` must not, fields before a colon. */
function line(query: Query): string {
  const field = 'field' in query && query.field.path !== undefined ? `${query.field.path}:` : '';
  switch (query.kind) {
    case 'words':
      return query.minimum > 1 ? `${field}(${query.words.join('&')})` : field + query.words.join('|');
    case 'phrase':
      return `${field}"${query.words.join(' ')}"`;
    case 'prefix':
      return `${field}${query.prefix}*`;
    case 'values':
      return `${field}=${[...query.texts].join('|')}`;
    case 'bool': {
      const { must, should, mustNot } = query;
      const parts = [
        ...must.map((clause) => `+${line(clause)}`),
        ...should.map(line),
        ...mustNot.map((clause) => `-${line(clause)}`),
      ];
      return `[${parts.join(' ')}]`;
    }
    default:
      return `${field}<${query.kind}>`;
  }
}

describe('query_string', () => {
  it.each([
    ['river', 'river'],
    ['river weir', '[river weir]'],
    ['river OR weir', '[river weir]'],
    ['river || weir', '[river weir]'],
    ['river AND weir', '[+river +weir]'],
    ['river && NOT weir', '[+river -weir]'],
    ['a AND b OR c', '[[+a +b] c]'],
    ['a OR b AND c', '[a [+b +c]]'],
    ['(a OR b) AND c', '[+[a b] +c]'],
    ['+a b -c', '[+a b -c]'],
    ['!a', '[-a]'],
    ['NOT NOT a', 'a'],
    ['"two words" x', '["two words" x]'],
    ['title:river', 'title:river'],
    ['title:(river weir) x', '[[title:river title:weir] x]'],
    ['title:"a b" AND a.b:c', '[+title:"a b" +a.b:c]'],
    ['title.keyword:River', 'title.keyword:=River'],
    ['riv* OR t:We*', '[riv* t:we*]'],
    ['*', '<all>'],
    ['t:*', 't:<exists>'],
    ['_id:7', '<ids>'],
    ['user@host', 'user|host'],
    ['a\\:b \\"q\\*', '[a|b q]'],
    ['wi-fi', 'wi|fi'],
    ['and or not', '[and or not]'],
    ['', '<none>'],
    ['...', '<none>'],
  ])('%s', (text, expected) => {
    expect(line(parse(text))).toBe(expected);
  });

  it('joins by AND when asked to', () => {
    expect(line(parse('a b', { default_operator: 'and' }))).toBe('[+a +b]');
    expect(line(parse('a OR b c', { default_operator: 'AND' }))).toBe('[a [+b +c]]');
    expect(line(parse('user@host', { default_operator: 'AND' }))).toBe('(user&host)');
  });

  it('looks in the fields it is given', () => {
    expect(line(parse('a t:b', { default_field: 'x' }))).toBe('[x:a t:b]');
    expect(line(parse('a', { fields: ['x', 'y'] }))).toBe('[x:a y:a]');
    expect(line(parse('a', { default_field: '*' }))).toBe('a');
  });

  it.each([
    ['(a', 'a bracket is not closed'],
    ['a)', 'a bracket is closed that was not opened'],
    ['"a', 'the phrase from character 0 has no end'],
    ['a AND', 'a word is missing at the end'],
    ['AND a', 'a word is missing before [and]'],
    ['a OR OR b', 'a word is missing before [or]'],
    [':a', 'a field name is missing before character 0'],
    ['t:', 'a word is missing at the end'],
    ['a~2', '[~] at character 1 is not supported, write \\~ to search for it'],
    ['a^2', '[^] at character 1 is not supported'],
    ['"a b"~2', '[~] at character 5 is not supported'],
    ['t:[1 TO 2]', '[[] at character 2 is not supported'],
    ['/re/', '[/] at character 0 is not supported'],
    ['te?t', '[?] at character 2 is not supported'],
    ['t:>5', '[>] at character 2 is not supported'],
    ['f*o', 'a wildcard is supported at the end of a word only'],
    ['*oo', 'a wildcard is supported at the end of a word only'],
    ['a\\', 'nothing follows the last backslash'],
    [`${'('.repeat(50)}a${')'.repeat(50)}`, 'nested deeper than 20'],
    [`${'NOT '.repeat(50)}a`, 'nested deeper than 20'],
  ])('refuses %s', (text, expected) => {
    expect(() => parse(text)).toThrow(expected);
    expect(() => parse(text)).toThrow('Failed to parse query [');
  });

  it('refuses parameters it does not know, and a query that is no text', () => {
    expect(() => parse('a', { fuzziness: 1 })).toThrow('[query_string] query does not support [fuzziness]');
    expect(() => parse(5)).toThrow('[query_string] needs a text in [query]');
  });
});
