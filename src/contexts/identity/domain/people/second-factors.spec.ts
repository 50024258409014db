import { describe, expect, it } from '@jest/globals';
import { hasRecentSecondFactor } from './second-factors.js';

describe('A second factor', () => {
  const isFresh = (stage: string, factorProvenAt: Date | null, at: number) =>
    hasRecentSecondFactor({ stage, factorProvenAt, at: new Date(at) } as never);

  it('is fresh for exactly ten minutes, and not required to enroll the first factor', () => {
    const proven = new Date(0);

    expect(isFresh('signed_in', proven, 600_000)).toBe(true);
    expect(isFresh('signed_in', proven, 600_001)).toBe(false);
    expect(isFresh('signed_in', null, 0)).toBe(false);
    expect(isFresh('enrolling', null, 0)).toBe(true);
  });
});
