/** Returns the smallest amount of the asset, in its smallest units, that is worth at least `coinAmount`. */
export function smallestAssetAmountWorth(coinAmount: string, price: string, decimals: number): bigint {
  const amount = parseDecimal(coinAmount);
  const each = parseDecimal(price);
  const numerator = amount.digits * 10n ** BigInt(decimals + each.scale);
  const denominator = each.digits * 10n ** BigInt(amount.scale);
  return (numerator + denominator - 1n) / denominator;
}

/** The value `digits` / 10^`scale`, exactly. */
export interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

export function parseDecimal(text: string): Decimal {
  const [, whole, fraction = ''] = /^([0-9]+)(?:\.([0-9]+))?$/.exec(text) ?? [];
  const digits = whole === undefined ? 0n : BigInt(whole + fraction);
  if (digits === 0n) throw new RangeError('A price or an amount is a decimal above zero.');
  return { digits, scale: fraction.length };
}
