import { formatAmount } from '#shared/kernel/amount.js';
import { decimal } from '../contract/amount-rounding-rule.js';
import { power } from './prices.js';

/**
 * The rate that prices agree on is their median. @param maxSpreadBasisPoints how far apart they may lie
 * @returns null where they lie farther apart: there is no price then, since one of them is wrong or the market has moved
 */
export function agreedRate(prices: readonly string[], maxSpreadBasisPoints: number): string | null {
  return differByMore(prices, maxSpreadBasisPoints) ? null : medianOf(prices);
}

/** The middle one, or exactly between the two in the middle. @throws RangeError where there is none, or no price */
export function medianOf(prices: readonly string[]): string {
  const { digits, scale } = aligned(prices);
  const [below, above] = [digits[(digits.length - 1) >> 1], digits[digits.length >> 1]];
  if (below === undefined || above === undefined) throw new RangeError('No price is available.');
  return formatAmount((below + above) * 5n, scale + 1);
}

/** True where the highest lies more than so many hundredths of a percent above the lowest. */
export function differByMore(prices: readonly string[], basisPoints: number): boolean {
  const { digits } = aligned(prices);
  const [lowest, highest] = [digits[0], digits.at(-1)];
  if (lowest === undefined || highest === undefined) return false;
  return (highest - lowest) * 10_000n > lowest * BigInt(basisPoints);
}

/** In ascending order, all with the same scale. */
function aligned(prices: readonly string[]): { digits: bigint[]; scale: number } {
  const decimals = prices.map(decimal);
  const scale = Math.max(0, ...decimals.map((price) => price.scale));
  const digits = decimals.map((price) => price.digits * power(scale - price.scale));
  return { digits: digits.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)), scale };
}
