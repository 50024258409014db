import { decimalOf, roundedUnits, textOf, type Decimal } from './decimal.js';
import { Refusal } from './refusal.js';
import type { Payment } from './session-data.js';

/** Digits in which amounts of any asset can be compared. */
const FINEST = 36;

const units = (amount: string, decimals: number) => roundedUnits(decimalOf(amount), decimals);

/** @returns the part of what was received that the shop's whole price stands for; what came above it is not in Medusa's books */
function paidForPrice({ id, selected, received_amount: received }: Payment, decimals: number): bigint {
  if (selected === undefined) {
    throw new Refusal('not_allowed', `Payment request ${id} has received nothing that could be refunded.`);
  }
  const [asked, got] = [units(selected.amount, decimals), units(received, decimals)];
  return got < asked ? got : asked;
}

/**
 * A refund in the asset that was received, by the rate of the payment: the whole price is all that was paid for it, and a part is
 * rounded down to the asset's smallest unit. @param part of the price, in the shop's currency
 * @throws Refusal where the part is more than the price, or less than the asset can express
 */
export function refundAmount(payment: Payment, part: Decimal, price: string, decimals: number): string {
  const whole = decimalOf(price);
  const scale = Math.max(part.scale, whole.scale);
  const [some, all] = [roundedUnits(part, scale), roundedUnits(whole, scale)];
  if (some > all) {
    throw new Refusal('invalid_data', `A refund of ${textOf(some, scale)} is more than the price, ${price}.`);
  }
  const refunded = (paidForPrice(payment, decimals) * some) / all;
  if (refunded === 0n) {
    throw new Refusal(
      'invalid_data',
      `A refund of ${textOf(some, scale)} is less than the asset can express.`,
    );
  }
  return textOf(refunded, decimals);
}

/** True where the price was paid, and is not being refunded. Refunds that failed are not counted. */
export function isHeld(payment: Payment): boolean {
  if (!payment.fulfilled) return false;
  const counted = payment.refunds.filter(({ status }) => status !== 'failed');
  const sum = counted.reduce((total, { amount }) => total + units(amount, FINEST), 0n);
  return sum === 0n || sum < paidForPrice(payment, FINEST);
}
