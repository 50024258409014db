import { formatAmount, parseAmount } from '#shared/kernel/amount.js';
import { requireCurrency } from '#shared/kernel/currency.js';
import { invalidField } from '#shared/kernel/domain-error.js';
import type { UnderpaymentTolerance } from '#shared/kernel/underpayment-tolerance.js';

/** Fees cannot explain a larger shortfall. */
export const MAX_TOLERANCE_BASIS_POINTS = 500;
/** The limit may be in any coin, and 18 places are the finest usual precision. */
export const MAX_TOLERANCE_FRACTION_DIGITS = 18;

export interface ToleranceInput {
  readonly basisPoints: number;
  readonly atMost?: string | undefined;
  readonly currency?: string | undefined;
}

/** @returns null if underpayments are not accepted */
export function validateUnderpaymentTolerance(
  input: ToleranceInput | undefined,
): UnderpaymentTolerance | null {
  if (input === undefined) return null;
  const { basisPoints, atMost, currency } = input;
  if (!Number.isInteger(basisPoints) || basisPoints < 0 || basisPoints > MAX_TOLERANCE_BASIS_POINTS)
    throw invalidField(
      'underpayment_tolerance.basis_points',
      'basis_points',
      `must be a whole number from 0 to ${MAX_TOLERANCE_BASIS_POINTS}.`,
    );
  if (atMost === undefined) {
    if (basisPoints === 0) return null;
    throw invalidField(
      'underpayment_tolerance.at_most',
      'required',
      'is required if basis_points is above 0. Send the largest accepted shortfall, such as "2.50".',
    );
  }
  const most = parseAmount(atMost, MAX_TOLERANCE_FRACTION_DIGITS);
  if (typeof most !== 'bigint')
    throw invalidField(
      'underpayment_tolerance.at_most',
      'decimal_amount',
      `must be a decimal string above zero with at most ${MAX_TOLERANCE_FRACTION_DIGITS} decimals, such as "0.50".`,
    );
  if (currency !== undefined) requireCurrency('underpayment_tolerance.currency', currency);
  if (basisPoints === 0) return null;
  const bound = { basisPoints, atMost: formatAmount(most, MAX_TOLERANCE_FRACTION_DIGITS) };
  return currency === undefined ? bound : { ...bound, currency };
}
