/**
 * The least whole number of the asset's smallest units that is worth `coinAmount`: rounding is always up.
 * Of any size; the caller checks the limits.
 * @param price of one whole unit of the asset, in the coin
 * @param decimals fraction digits of the asset
 * @throws RangeError where a text is no decimal above zero
 */
export function convertedAmount(coinAmount: string, price: string, decimals: number): bigint {
  const amount = decimal(coinAmount);
  const each = decimal(price);
  const numerator = amount.digits * 10n ** BigInt(decimals + each.scale);
  const denominator = each.digits * 10n ** BigInt(amount.scale);
  return (numerator + denominator - 1n) / denominator;
}

/** Exactly `digits` / 10^`scale`. */
export interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

/** @throws RangeError where the text is no decimal above zero */
export function decimal(text: string): Decimal {
  const [, whole, fraction = ''] = /^([0-9]+)(?:\.([0-9]+))?$/.exec(text) ?? [];
  const digits = whole === undefined ? 0n : BigInt(whole + fraction);
  if (digits === 0n) throw new RangeError('A price or an amount is a decimal above zero.');
  return { digits, scale: fraction.length };
}
