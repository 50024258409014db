import { describe, expect, it } from '@jest/globals';
import { MAX_TOLERANCE_BASIS_POINTS, validateUnderpaymentTolerance } from './underpayment-tolerance-rule.js';

describe('An underpayment tolerance', () => {
  it('is accepted up to 5%, with a maximum amount of at most 18 decimals', () => {
    const atMost = '0.000000000000000001';
    expect(validateUnderpaymentTolerance({ basisPoints: MAX_TOLERANCE_BASIS_POINTS, atMost })).toEqual({
      basisPoints: 500,
      atMost,
    });
    expect(validateUnderpaymentTolerance({ basisPoints: 1, atMost: '2.50', currency: 'NOK' })).toEqual({
      ...{ basisPoints: 1, atMost: '2.5', currency: 'NOK' },
    });
  });

  it('is removed by zero basis points', () => {
    for (const input of [undefined, { basisPoints: 0 }, { basisPoints: 0, atMost: '1' }])
      expect(validateUnderpaymentTolerance(input)).toBeNull();
  });

  it.each([
    ['basis_points', 'basis_points', { basisPoints: 501, atMost: '1' }],
    ['basis_points', 'basis_points', { basisPoints: -1, atMost: '1' }],
    ['basis_points', 'basis_points', { basisPoints: 1.5, atMost: '1' }],
    ['at_most', 'required', { basisPoints: 1 }],
    ['at_most', 'decimal_amount', { basisPoints: 1, atMost: '0' }],
    ['at_most', 'decimal_amount', { basisPoints: 1, atMost: '0.0000000000000000001' }],
    ['currency', 'currency', { basisPoints: 1, atMost: '1', currency: 'usd' }],
  ])('is rejected if a field breaks a rule: field %s, rule %s', (field, rule, input) => {
    expect(() => validateUnderpaymentTolerance(input)).toThrow(
      expect.objectContaining({
        errors: [expect.objectContaining({ field: `underpayment_tolerance.${field}`, rule })],
      }),
    );
  });
});
