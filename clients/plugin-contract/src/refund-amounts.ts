import { decimalOf, roundedUnits, toDecimalText, type Decimal } from './decimal.js';
import { Refusal } from './refusal.js';
import type { Payment } from './payment.js';

/** Number of decimals that is sufficient for the amounts of every asset. */
const FINEST = 36;

const units = (amount: string, decimals: number) => roundedUnits(decimalOf(amount), decimals);

/** @returns the part of the received amount that pays the price; shops do not record the excess */
function paidForPrice({ id, selected, received_amount: received }: Payment, decimals: number): bigint {
  if (selected === undefined) {
    throw new Refusal('not_allowed', `Payment request ${id} has received no funds to refund.`);
  }
  const [asked, got] = [units(selected.amount, decimals), units(received, decimals)];
  return got < asked ? got : asked;
}

/**
 * Converts a refund to the received asset at the rate of the payment. A refund of the full price is the full amount paid for it; a part is
 * rounded down to the asset's smallest unit. @param part amount to refund, in the shop's currency
 * @throws Refusal if the part is more than the price, or less than the asset's smallest unit
 */
export function refundAmount(payment: Payment, part: Decimal, price: string, decimals: number): string {
  const whole = decimalOf(price);
  const scale = Math.max(part.scale, whole.scale);
  const [some, all] = [roundedUnits(part, scale), roundedUnits(whole, scale)];
  if (some > all) {
    throw new Refusal(
      'invalid_data',
      `A refund of ${toDecimalText(some, scale)} exceeds the price of ${price}.`,
    );
  }
  const refunded = (paidForPrice(payment, decimals) * some) / all;
  if (refunded === 0n) {
    throw new Refusal(
      'invalid_data',
      `A refund of ${toDecimalText(some, scale)} is less than the smallest unit of the asset.`,
    );
  }
  return toDecimalText(refunded, decimals);
}

/** @returns whether the shop still holds part of the price after its refunds; failed refunds do not count */
export function hasUnrefundedPayment(payment: Payment): boolean {
  if (!payment.fulfilled) return false;
  const counted = payment.refunds.filter(({ status }) => status !== 'failed');
  const sum = counted.reduce((total, { amount }) => total + units(amount, FINEST), 0n);
  return sum === 0n || sum < paidForPrice(payment, FINEST);
}
