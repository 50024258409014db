import { formatAmount } from '#shared/kernel/amount.js';
import { parseDecimal } from '#shared/kernel/decimal.js';
import { powerOfTen } from './prices.js';

/** @returns null if the prices are too far apart, because one of them is wrong or the market has moved */
export function medianWithinSpread(prices: readonly string[], maxSpreadBasisPoints: number): string | null {
  return differByMore(prices, maxSpreadBasisPoints) ? null : medianOf(prices);
}

/** Returns the middle price, or the midpoint of the two middle prices. */
export function medianOf(prices: readonly string[]): string {
  const { digits, scale } = sortAtSameScale(prices);
  const [below, above] = [digits[(digits.length - 1) >> 1], digits[digits.length >> 1]];
  if (below === undefined || above === undefined) throw new RangeError('No price is available.');
  return formatAmount((below + above) * 5n, scale + 1);
}

export function differByMore(prices: readonly string[], basisPoints: number): boolean {
  const { digits } = sortAtSameScale(prices);
  const [lowest, highest] = [digits[0], digits.at(-1)];
  if (lowest === undefined || highest === undefined) return false;
  return (highest - lowest) * 10_000n > lowest * BigInt(basisPoints);
}

function sortAtSameScale(prices: readonly string[]): { digits: bigint[]; scale: number } {
  const decimals = prices.map(parseDecimal);
  const scale = Math.max(0, ...decimals.map((price) => price.scale));
  const digits = decimals.map((price) => price.digits * powerOfTen(scale - price.scale));
  return { digits: digits.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)), scale };
}
