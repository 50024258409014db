import type { UnderpaymentTolerance } from '#shared/kernel/underpayment-tolerance.js';
import { parseDecimal } from '#shared/kernel/decimal.js';
import type { PaymentRequestStatus } from '#contexts/payments/contract/payment-request-events.js';
import { isOneOf, PAID_STATUSES } from '../status.js';
import type { PaymentOutcome } from './outcome-rule.js';

/** Compares integers, so nothing is rounded. */
export function isUnderpaymentAccepted(
  { status, selection, received }: Pick<PaymentOutcome, 'status' | 'selection' | 'received'>,
  tolerance: UnderpaymentTolerance | undefined,
): boolean {
  if (status !== 'underpaid' || tolerance === undefined) return false;
  const { amount, decimals, rate } = selection;
  const missing = amount - received;
  const most = parseDecimal(tolerance.atMost);
  const price = parseDecimal(rate?.price ?? '1');
  return (
    missing * 10_000n <= BigInt(tolerance.basisPoints) * amount &&
    missing * price.digits * 10n ** BigInt(most.scale) <= most.digits * 10n ** BigInt(decimals + price.scale)
  );
}

export function isFulfilled(status: PaymentRequestStatus, underpaymentAccepted: boolean): boolean {
  return isOneOf(PAID_STATUSES, status) || underpaymentAccepted;
}
