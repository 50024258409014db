import { formatAmount } from '#shared/kernel/amount.js';
import { isCurrency } from '#shared/kernel/currency.js';

export interface KnownRate {
  readonly currency: string;
  /** Decimal string above zero. */
  readonly price: string;
  readonly sources: readonly string[];
  readonly at: Date;
}

export interface ValuationInput {
  readonly booksCurrency: string | null;
  /** Rate that the payment request locked for the requested amount. Null for other funds. */
  readonly locked: KnownRate | null;
  /** The last rate recorded before the funds were received. */
  readonly recorded: KnownRate | null;
}

export interface Valuation extends KnownRate {
  readonly basis: 'locked' | 'recorded';
}

export interface MissingValuation {
  readonly basis: 'missing';
  readonly currency?: string;
}

/** Without an accounting currency, uses the coin in which the payment was requested if that coin is a currency. */
export function valuationOf({
  booksCurrency,
  locked,
  recorded,
}: ValuationInput): Valuation | MissingValuation {
  const currency =
    booksCurrency ?? (locked !== null && isCurrency(locked.currency) ? locked.currency : undefined);
  if (currency === undefined) return { basis: 'missing' };
  if (locked?.currency === currency) return { basis: 'locked', ...locked };
  if (recorded?.currency === currency) return { basis: 'recorded', ...recorded };
  return { basis: 'missing', currency };
}

/** An exact value: `digits` / 10^`scale`. */
export interface ExactDecimal {
  readonly digits: bigint;
  readonly scale: number;
}

/** Does not round, so that the values of balanced entries also balance. */
export function exactValue(amount: bigint, decimals: number, price: string): ExactDecimal {
  const [whole = '', fraction = ''] = price.split('.');
  return { digits: amount * BigInt(whole + fraction), scale: decimals + fraction.length };
}

export function formatValue({ digits, scale }: ExactDecimal): string {
  return formatAmount(digits, scale);
}

/** Rounds the value to `fractionDigits`, half away from zero. */
export function roundValue(fractionDigits: number, { digits, scale }: ExactDecimal): bigint {
  if (scale <= fractionDigits) return digits * 10n ** BigInt(fractionDigits - scale);
  const unit = 10n ** BigInt(scale - fractionDigits);
  const magnitude = digits < 0n ? -digits : digits;
  const rounded = (magnitude * 2n + unit) / (unit * 2n);
  return digits < 0n ? -rounded : rounded;
}

export function addValues(a: ExactDecimal, b: ExactDecimal): ExactDecimal {
  const scale = Math.max(a.scale, b.scale);
  const digitsAtScale = ({ digits, scale: own }: ExactDecimal) => digits * 10n ** BigInt(scale - own);
  return { digits: digitsAtScale(a) + digitsAtScale(b), scale };
}
