import { formatAmount } from '#shared/kernel/amount.js';
import { parseDecimal } from '#shared/kernel/decimal.js';

const SIGNIFICANT_DIGITS = 18;
/** Real prices have fewer than half as many. */
const MAX_PRICE_LENGTH = 40;

export function isPrice(text: string): boolean {
  return (
    text.length <= MAX_PRICE_LENGTH && /^(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/.test(text) && /[1-9]/.test(text)
  );
}

/**
 * Truncates after 18 significant digits: a lower price requests more of the asset, so the merchant never receives too
 * little.
 */
export function crossPrice(asset: string, coin: string): string {
  const [above, below] = [parseDecimal(asset), parseDecimal(coin)];
  const numerator = above.digits * 10n ** BigInt(below.scale);
  const denominator = below.digits * 10n ** BigInt(above.scale);
  let scale = SIGNIFICANT_DIGITS - numerator.toString().length + denominator.toString().length;
  let digits = (numerator * powerOfTen(scale)) / (denominator * powerOfTen(-scale));
  if (digits >= powerOfTen(SIGNIFICANT_DIGITS)) {
    digits /= 10n;
    scale -= 1;
  }
  return formatAmount(digits * powerOfTen(-scale), Math.max(scale, 0));
}

export function powerOfTen(exponent: number): bigint {
  return 10n ** BigInt(Math.max(exponent, 0));
}
