import type { Asset } from '#shared/kernel/asset.js';
import { currencyDigits } from '#shared/kernel/currency.js';

/** What a price is named in: a currency, or an asset by its symbol. */
export interface Coin {
  readonly kind: 'currency' | 'asset';
  /** ISO 4217 code or asset symbol. */
  readonly code: string;
  /** Most fraction digits of an amount in it. An asset's symbol has the fewest of its networks, so that each can pay it. */
  readonly fractionDigits: number;
}

/**
 * @param assets the catalogue's
 * @returns undefined where `code` is neither a currency in use nor the symbol of one of the assets; both are spelled exactly
 */
export function coinOf(code: string, assets: readonly Asset[]): Coin | undefined {
  const digits = currencyDigits(code);
  if (digits !== undefined) return { kind: 'currency', code, fractionDigits: digits };
  const decimals = assets.filter(({ symbol }) => symbol === code).map((asset) => asset.decimals);
  if (decimals.length === 0) return undefined;
  return { kind: 'asset', code, fractionDigits: Math.min(...decimals) };
}
