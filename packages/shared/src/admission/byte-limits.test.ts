import { describe, expect, it } from '@jest/globals';
import { DEFAULT_SETTINGS } from '../testing/index.ts';
import { byteLimits } from './byte-limits.ts';

const MIB = 1024 * 1024;
const settings = (indexingPressure: (typeof DEFAULT_SETTINGS)['indexingPressure']) => ({
  ...DEFAULT_SETTINGS,
  indexingPressure,
});

describe('the byte limits of a process', () => {
  it('are a tenth of its heap limit by default, and half as much again for replicas', () => {
    expect(byteLimits(DEFAULT_SETTINGS, 512 * MIB)).toEqual({ primary: 53_687_091, replica: 80_530_636 });
  });

  it('are the bytes of the settings where they say bytes, but never more than half of the heap', () => {
    const asked = settings({ limit: { bytes: 100 * MIB }, replicaFactor: 2 });
    expect(byteLimits(asked, 512 * MIB)).toEqual({ primary: 100 * MIB, replica: 200 * MIB });
    expect(byteLimits(asked, 100 * MIB)).toEqual({ primary: 50 * MIB, replica: 100 * MIB });
  });
});
