import { describe, expect, it } from '@jest/globals';
import { createdRange } from './time-range.js';

const NOON = new Date('2026-01-31T12:00:00Z');
const ONE = new Date('2026-01-31T13:00:00Z');

describe('A range of times of creation', () => {
  it.each([
    [undefined, undefined],
    [NOON, undefined],
    [undefined, NOON],
    [NOON, ONE],
    [NOON, NOON],
  ])('may begin at %p and end before %p', (from, before) => {
    expect(createdRange(from, before)).toEqual({ from, before });
  });

  it('does not end before it begins, and both fields are named', () => {
    expect(() => createdRange(ONE, NOON)).toThrow(
      expect.objectContaining({
        code: 'validation_failed',
        errors: [
          expect.objectContaining({ field: 'created_from', rule: 'time_order' }),
          expect.objectContaining({ field: 'created_to', rule: 'time_order' }),
        ],
      }),
    );
  });
});
