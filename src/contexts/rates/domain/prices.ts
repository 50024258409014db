import { formatAmount } from '#shared/kernel/amount.js';
import { decimal } from '../contract/amount-rounding-rule.js';

const SIGNIFICANT_DIGITS = 18;
/** Characters of a price from outside; real ones have fewer than half. */
const MAX_PRICE_LENGTH = 40;

/** True for a price from outside: a decimal in plain notation, above zero, at most 40 characters. */
export function isPrice(text: string): boolean {
  return (
    text.length <= MAX_PRICE_LENGTH && /^(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/.test(text) && /[1-9]/.test(text)
  );
}

/**
 * Rate of an asset in a coin, from what one of each costs in the same currency. Cut off after 18 significant digits:
 * a lower price asks for more of the asset, so the merchant never gets too little.
 */
export function crossPrice(asset: string, coin: string): string {
  const [above, below] = [decimal(asset), decimal(coin)];
  const numerator = above.digits * 10n ** BigInt(below.scale);
  const denominator = below.digits * 10n ** BigInt(above.scale);
  let scale = SIGNIFICANT_DIGITS - numerator.toString().length + denominator.toString().length;
  let digits = (numerator * power(scale)) / (denominator * power(-scale));
  if (digits >= power(SIGNIFICANT_DIGITS)) {
    digits /= 10n;
    scale -= 1;
  }
  return formatAmount(digits * power(-scale), Math.max(scale, 0));
}

/** Ten to that power, or one where the power is below zero. */
export function power(exponent: number): bigint {
  return 10n ** BigInt(Math.max(exponent, 0));
}
