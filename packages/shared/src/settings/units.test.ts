import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  formatBytes,
  formatTimeMs,
  readBytes,
  readNumber,
  readPercent,
  readSwitch,
  readTimeMs,
} from './units.ts';

describe('a number', () => {
  it.each([
    ['80', 80],
    ['.5', 0.5],
    ['2.', 2],
    ['-1.5e3', -1500],
    ['+7', 7],
    ['007', 7],
  ])('is read from %j', (text, value) => {
    expect(readNumber(text)).toEqual({ value });
  });

  it.each([
    '',
    ' ',
    'NaN',
    'Infinity',
    '-Infinity',
    '1e999',
    '0x10',
    '1_000',
    '1,5',
    ' 5',
    '5 ',
    '5f',
    '.',
    '1e',
    '٣',
  ])('is not read from %j', (text) => {
    expect(readNumber(text)).toHaveProperty('problem');
  });
});

describe('a switch', () => {
  it('is true or false and nothing else', () => {
    expect([readSwitch('true'), readSwitch('false')]).toEqual([{ value: true }, { value: false }]);
    for (const text of ['TRUE', 'yes', '1', '', 'on']) expect(readSwitch(text)).toHaveProperty('problem');
  });
});

describe('a time', () => {
  it.each([
    ['500ms', 500],
    ['2s', 2_000],
    ['2S', 2_000],
    ['1m', 60_000],
    ['1h', 3_600_000],
    ['1d', 86_400_000],
    ['0', 0],
    ['0s', 0],
    ['5 s', 5_000],
    ['2000micros', 2],
  ])('is read from %j', (text, value) => {
    expect(readTimeMs(text)).toEqual({ value });
  });

  it.each([
    ['12', 'not a time value, unit is missing or unrecognized'],
    ['abc', 'not a time value, unit is missing or unrecognized'],
    ['1M', 'not a time value, unit is missing or unrecognized'],
    ['1week', 'not a time value, unit is missing or unrecognized'],
    ['1.5s', 'fractional time values are not supported'],
    ['-5s', 'negative durations are not supported'],
    ['', 'not a time value, unit is missing or unrecognized'],
    ['1toString', 'not a time value, unit is missing or unrecognized'],
    ['9'.repeat(400), 'not a time value, unit is missing or unrecognized'],
  ])('is not read from %j: %s', (text, problem) => {
    expect(readTimeMs(text)).toEqual({ problem });
  });

  it('is read back from what it is written as', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e9 }), (ms) => {
        expect(readTimeMs(formatTimeMs(ms))).toEqual({ value: ms });
      }),
    );
    expect([formatTimeMs(1_500), formatTimeMs(60_000), formatTimeMs(0)]).toEqual(['1500ms', '1m', '0ms']);
  });
});

describe('a size', () => {
  it.each([
    ['1kb', 1024],
    ['10mb', 10_485_760],
    ['1gb', 1_073_741_824],
    ['1.5KB', 1536],
    ['7b', 7],
    ['0', 0],
    ['1 kb', 1024],
  ])('is read from %j', (text, value) => {
    expect(readBytes(text)).toEqual({ value });
  });

  it.each(['12', '1.5b', '-1kb', 'kb', '1xb', '', 'NaN', '1e3kb'])('is not read from %j', (text) => {
    expect(readBytes(text)).toHaveProperty('problem');
  });

  it('is read back from what it is written as', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 40 }), (bytes) => {
        expect(readBytes(formatBytes(bytes))).toEqual({ value: bytes });
      }),
    );
  });
});

describe('a percentage', () => {
  it('needs its sign', () => {
    expect([readPercent('10%'), readPercent('12.5%')]).toEqual([{ value: 10 }, { value: 12.5 }]);
    for (const text of ['10', '%', 'NaN%', '10 %', '10%%'])
      expect(readPercent(text)).toHaveProperty('problem');
  });
});
