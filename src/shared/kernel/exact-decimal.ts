import { formatAmount } from './amount.js';

/** An exact value: `digits` / 10^`scale`. */
export interface ExactDecimal {
  readonly digits: bigint;
  readonly scale: number;
}

/** Does not round, so that the values of balanced entries also balance. */
export function exactValueAtPrice(amount: bigint, decimals: number, price: string): ExactDecimal {
  const [whole = '', fraction = ''] = price.split('.');
  return { digits: amount * BigInt(whole + fraction), scale: decimals + fraction.length };
}

export function formatExactDecimal({ digits, scale }: ExactDecimal): string {
  return formatAmount(digits, scale);
}

/** Rounds the value to `fractionDigits`, half away from zero. */
export function roundExactDecimal(fractionDigits: number, { digits, scale }: ExactDecimal): bigint {
  if (scale <= fractionDigits) return digits * 10n ** BigInt(fractionDigits - scale);
  const unit = 10n ** BigInt(scale - fractionDigits);
  const magnitude = digits < 0n ? -digits : digits;
  const rounded = (magnitude * 2n + unit) / (unit * 2n);
  return digits < 0n ? -rounded : rounded;
}

export function addExactDecimals(a: ExactDecimal, b: ExactDecimal): ExactDecimal {
  const scale = Math.max(a.scale, b.scale);
  const digitsAtScale = ({ digits, scale: own }: ExactDecimal) => digits * 10n ** BigInt(scale - own);
  return { digits: digitsAtScale(a) + digitsAtScale(b), scale };
}
