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

/** The middle one, or exactly between the two in the middle. @throws RangeError where there is none, or no price */
export function medianOf(prices: readonly string[]): string {
  const { digits, scale } = aligned(prices);
  const [below, above] = [digits[(digits.length - 1) >> 1], digits[digits.length >> 1]];
  if (below === undefined || above === undefined) throw new RangeError('There is no price to take.');
  return formatAmount((below + above) * 5n, scale + 1);
}

/** True where the highest lies more than so many hundredths of a percent above the lowest. */
export function differByMore(prices: readonly string[], basisPoints: number): boolean {
  const { digits } = aligned(prices);
  const [lowest, highest] = [digits[0], digits.at(-1)];
  if (lowest === undefined || highest === undefined) return false;
  return (highest - lowest) * 10_000n > lowest * BigInt(basisPoints);
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
function power(exponent: number): bigint {
  return 10n ** BigInt(Math.max(exponent, 0));
}

/** In ascending order, all with the same scale. */
function aligned(prices: readonly string[]): { digits: bigint[]; scale: number } {
  const decimals = prices.map(decimal);
  const scale = Math.max(0, ...decimals.map((price) => price.scale));
  const digits = decimals.map((price) => price.digits * power(scale - price.scale));
  return { digits: digits.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)), scale };
}
