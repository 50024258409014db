import { describe, expect, it } from '@jest/globals';
import { requireOrderedRange } from './instant.js';

const NOON = new Date('2026-01-31T12:00:00Z');
const ONE = new Date('2026-01-31T13:00:00Z');

describe('A range of creation times', () => {
  it.each([
    [undefined, undefined],
    [NOON, undefined],
    [NOON, NOON],
  ])('accepts the start %p and the end %p', (from, before) => {
    expect(requireOrderedRange(from, before)).toEqual({ from, before });
  });

  it('rejects an end before the start, and names both fields', () => {
    const errors = ['created_from', 'created_to'].map((field) =>
      expect.objectContaining({ field, rule: 'time_order' }),
    );

    expect(() => requireOrderedRange(ONE, NOON)).toThrow(
      expect.objectContaining({ code: 'validation_failed', errors }),
    );
  });
});
