import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { analyze, analyzePrefix } from './analyze.ts';

describe('analyze', () => {
  it.each([
    ['The QUICK brown-fox', ['the', 'quick', 'brown', 'fox']],
    ["don't stop, example.com v3.14 10.0.0.1.", ["don't", 'stop', 'example.com', 'v3.14', '10.0.0.1']],
    ['foo_bar user@host a/b', ['foo_bar', 'user', 'host', 'a', 'b']],
    ['Žluťoučký KŮŇ été l’été', ['žluťoučký', 'kůň', 'été', 'l’été']],
    ['東京タワー ひら', ['東', '京', 'タワー', 'ひ', 'ら']],
    ['Привет, мир', ['привет', 'мир']],
    ['नमस्ते', ['नमस्ते']],
    ['good 😀 ❤️', ['good', '😀', '❤']],
    ['--- !? ', []],
    ['', []],
  ])('%s', (text, words) => {
    expect(analyze(text)).toEqual(words);
  });

  it('cuts words that are too long for an index', () => {
    expect(analyze('x'.repeat(600)).map((word) => word.length)).toEqual([255, 255, 90]);
  });

  it('finds a text by each of its words again, and by the beginning of each', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        for (const word of analyze(text)) {
          expect(analyze(word)).toEqual([word]);
          expect(analyzePrefix(word)).toBe(word);
        }
      }),
    );
  });

  it('knows beginnings that no word can have', () => {
    expect(analyzePrefix('Foo')).toBe('foo');
    expect(analyzePrefix('3.')).toBe('3.');
    expect(analyzePrefix('foo-b')).toBeUndefined();
    expect(analyzePrefix('.a')).toBeUndefined();
  });
});
