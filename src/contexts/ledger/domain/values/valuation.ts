import { formatAmount } from '#shared/kernel/amount.js';
import { isCurrency } from '#shared/kernel/currency.js';

/** A rate that is known for a line: the price of one whole unit of the line's asset in a coin or currency. */
export interface KnownRate {
  readonly currency: string;
  /** Decimal string above zero. */
  readonly price: string;
  readonly sources: readonly string[];
  readonly at: Date;
}

/** The currency of an account's books at the time of the money, and the rates that were known then. */
export interface Appraisal {
  /** The account's setting; null where there is none. */
  readonly booksCurrency: string | null;
  /** Locked by the payment request for what it asked for; null for other money. */
  readonly locked: KnownRate | null;
  /** The last one that was recorded before the money came, in the currency of the books. */
  readonly recorded: KnownRate | null;
}

export interface Valuation extends KnownRate {
  readonly basis: 'locked' | 'recorded';
}

/** No rate was known at the time; `currency` is absent where the books have none. */
export interface NoValuation {
  readonly basis: 'missing';
  readonly currency?: string;
}

/**
 * Without a setting the books are in the coin of the request, where that is a currency. The locked rate goes before the recorded
 * one, where it is in the currency of the books.
 */
export function valuationOf({ booksCurrency, locked, recorded }: Appraisal): Valuation | NoValuation {
  const currency =
    booksCurrency ?? (locked !== null && isCurrency(locked.currency) ? locked.currency : undefined);
  if (currency === undefined) return { basis: 'missing' };
  if (locked?.currency === currency) return { basis: 'locked', ...locked };
  if (recorded?.currency === currency) return { basis: 'recorded', ...recorded };
  return { basis: 'missing', currency };
}

/** An exact value: `digits` / 10^`scale`. */
export interface Value {
  readonly digits: bigint;
  readonly scale: number;
}

/** Exact, so that the values of lines that balance balance too. @param amount in smallest units, signed */
export function valueOf(amount: bigint, decimals: number, price: string): Value {
  const [whole = '', fraction = ''] = price.split('.');
  return { digits: amount * BigInt(whole + fraction), scale: decimals + fraction.length };
}

export function shownValue({ digits, scale }: Value): string {
  return formatAmount(digits, scale);
}

/** Rounded to so many fraction digits, half away from zero. */
export function roundedTo(fractionDigits: number, { digits, scale }: Value): bigint {
  if (scale <= fractionDigits) return digits * 10n ** BigInt(fractionDigits - scale);
  const unit = 10n ** BigInt(scale - fractionDigits);
  const magnitude = digits < 0n ? -digits : digits;
  const rounded = (magnitude * 2n + unit) / (unit * 2n);
  return digits < 0n ? -rounded : rounded;
}

export function sumOf(a: Value, b: Value): Value {
  const scale = Math.max(a.scale, b.scale);
  const at = ({ digits, scale: own }: Value) => digits * 10n ** BigInt(scale - own);
  return { digits: at(a) + at(b), scale };
}
