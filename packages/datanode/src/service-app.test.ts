import { describe, expect, it } from '@jest/globals';
import { mostFrameBytes } from './service-app.ts';

const MIB = 2 ** 20;

describe('the largest frame that is taken', () => {
  it('is twice the largest body, for ids and lengths are told beside the documents', () => {
    expect(mostFrameBytes(100 * MIB)).toBe(200 * MIB);
  });

  it('holds the 5,000 longest ids in a frame, however small the largest body is', () => {
    expect(mostFrameBytes(1_024)).toBeGreaterThan(5_000 * (255 + 6 * 512));
  });
});
