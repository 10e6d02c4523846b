import { describe, expect, it } from '@jest/globals';
import { BodyBuffer } from './body-buffer.ts';

const MIB = 1024 * 1024;

/** Takes `body` in pieces of `pieceBytes`; tells what came out and how the memory for it was paid. */
function gather(body: Buffer, pieceBytes: number, declaredBytes: number | undefined) {
  const taken: number[] = [];
  const budget = { announce: () => undefined, take: (bytes: number) => taken.push(bytes) };
  const buffer = new BodyBuffer({ maxBytes: 100 * MIB }, declaredBytes, budget);
  for (let at = 0; at < body.length; at += pieceBytes) buffer.append(body.subarray(at, at + pieceBytes));
  return { same: buffer.bytes().equals(body), takes: taken.length, paidBytes: taken.reduce((a, b) => a + b) };
}

describe('a body gathered in pieces', () => {
  const body = Buffer.alloc(5 * MIB, '日本{"m":1}\r\n');

  it('C026: of 5 MB in pieces of 7 bytes is the same, and is copied as a whole only as often as it doubles', () => {
    const { same, takes, paidBytes } = gather(body, 7, undefined);
    expect(same).toBe(true);
    expect(takes).toBeLessThanOrEqual(Math.ceil(Math.log2(body.length)));
    expect(paidBytes).toBeLessThan(2 * body.length);
  });

  it('is paid for as declared once more than its first piece has come', () => {
    expect(gather(body, 7, body.length)).toEqual({ same: true, takes: 2, paidBytes: body.length });
  });
});
