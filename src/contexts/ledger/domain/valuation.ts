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
