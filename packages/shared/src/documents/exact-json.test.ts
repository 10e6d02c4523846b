import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseExact, plainValue, stringifyExact } from './exact-json.ts';

describe('exact JSON', () => {
  it('C023: keeps every digit of every number', () => {
    const json = '{"big":9007199254740993,"f":1.0,"e":1E400,"n":-0,"l":[1,2.50,3e-7],"s":"12"}';
    expect(stringifyExact(parseExact(json))).toBe(json);
  });

  it('tells numbers from strings that look like its own marks', () => {
    const json = JSON.stringify({
      a: '\0#12',
      b: '\0$x',
      c: '\0',
      d: '\0#',
      e: '#1',
      f: 1,
      '\0#5': 2,
      '\0$': '\0\0',
    });
    expect(stringifyExact(parseExact(json))).toBe(json);
  });

  it('is not confused by quotes and backslashes in strings', () => {
    const json = JSON.stringify({ 'a"1': 'b\\"2\\', '\\': '\\\\', n: 3 });
    expect(stringifyExact(parseExact(json))).toBe(json);
  });

  it('writes what it read, and means what JSON.parse means', () => {
    const text = fc.string({
      unit: fc.constantFrom('\0', '#', '$', '"', '\\', '1', '-', 'e', 'é', '😀', '{'),
    });
    fc.assert(
      fc.property(
        fc.dictionary(text, fc.oneof(text, fc.double(), fc.jsonValue({ maxDepth: 2 }))),
        (value) => {
          const json = JSON.stringify(value);
          expect(JSON.parse(stringifyExact(parseExact(json)))).toEqual(JSON.parse(json));
          expect(plainValue(parseExact(json))).toEqual(JSON.parse(json));
        },
      ),
    );
  });

  it('reads long strings full of escapes', () => {
    const json = JSON.stringify({ a: '\n"\\'.repeat(500_000), b: 1 });
    expect(stringifyExact(parseExact(json))).toBe(json);
  });
});
