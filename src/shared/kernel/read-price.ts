import type { Asset } from './asset.js';
import { currencyDigits } from './currency.js';
import { formatAmount, parseAmount } from './amount.js';
import { invalidField } from './domain-error.js';

export interface CurrencyOrAsset {
  readonly kind: 'currency' | 'asset';
  readonly code: string;
  /** For an asset on several networks, the smallest number of all, so that the price can be paid on each network. */
  readonly fractionDigits: number;
}

/** @returns undefined unless `code` is exactly a currency in use or an asset symbol */
export function findCurrencyOrAsset(code: string, assets: readonly Asset[]): CurrencyOrAsset | undefined {
  const digits = currencyDigits(code);
  if (digits !== undefined) return { kind: 'currency', code, fractionDigits: digits };
  const decimals = assets.filter(({ symbol }) => symbol === code).map((asset) => asset.decimals);
  if (decimals.length === 0) return undefined;
  return { kind: 'asset', code, fractionDigits: Math.min(...decimals) };
}

export function requireCurrencyOrAsset(
  code: string,
  assets: readonly Asset[],
  field = 'coin_code',
): CurrencyOrAsset {
  const coin = findCurrencyOrAsset(code, assets);
  if (coin !== undefined) return coin;
  throw invalidField(field, 'coin_code', suggestCode(code, assets));
}

function suggestCode(code: string, assets: readonly Asset[]): string {
  const capitals = code.toUpperCase();
  if (currencyDigits(capitals) !== undefined) return `must be in capital letters: "${capitals}".`;
  const symbols = [...new Set(assets.map(({ symbol }) => symbol))];
  const meant = symbols.find((symbol) => symbol.toUpperCase() === capitals);
  if (meant !== undefined) return `must be spelled "${meant}".`;
  return `must be an ISO 4217 currency, such as "EUR", or one of the asset symbols ${symbols.join(', ')}.`;
}

/** @returns a decimal string without trailing zeros @throws validation_failed naming `amount` or `coin_code` */
export function requirePrice(amount: string, coinCode: string, assets: readonly Asset[]): string {
  const coin = requireCurrencyOrAsset(coinCode, assets);
  return normalizeAmountOf(coin, amount);
}

/** @returns a decimal string without trailing zeros @throws validation_failed naming the field */
export function normalizeAmountOf(
  { code, fractionDigits }: CurrencyOrAsset,
  amount: string,
  field?: string,
): string {
  return formatAmount(requireAmount(amount, code, fractionDigits, field), fractionDigits);
}

export function requireAmount(text: string, symbol: string, decimals: number, field = 'amount'): bigint {
  const units = parseAmount(text, decimals);
  if (typeof units === 'bigint') return units;
  const sentence = {
    not_a_decimal: 'must be a decimal string, such as "10.50" (a point, not a comma).',
    too_many_decimals: `must have at most ${decimals} ${decimals === 1 ? 'decimal' : 'decimals'}: ${symbol} has no more.`,
    not_positive: 'must be greater than zero.',
    too_large: 'must be less than 2^256 smallest units.',
  }[units];
  throw invalidField(field, units, sentence);
}
