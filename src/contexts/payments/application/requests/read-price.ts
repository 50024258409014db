import { formatAmount, parseAmount } from '#shared/kernel/amount.js';
import type { Asset } from '#shared/kernel/asset.js';
import { invalidField } from '#shared/kernel/domain-error.js';
import { coinOf } from '../../domain/requests/price/coin.js';

/**
 * A price as a merchant names it.
 * @returns the amount without trailing zeros
 * @throws validation_failed naming `amount` or `coin_code`
 */
export function readPrice(amount: string, coinCode: string, assets: readonly Asset[]): string {
  const coin = coinOf(coinCode, assets);
  if (coin === undefined) {
    const symbols = [...new Set(assets.map(({ symbol }) => symbol))].join(', ');
    throw invalidField(
      'coin_code',
      'coin_code',
      `must be an ISO 4217 currency in use, like "EUR", or the symbol of an asset of this service: ${symbols}`,
    );
  }
  return formatAmount(readAmount(amount, coin.code, coin.fractionDigits), coin.fractionDigits);
}

/** @returns smallest units @throws validation_failed naming `amount` */
export function readAmount(text: string, symbol: string, decimals: number): bigint {
  const units = parseAmount(text, decimals);
  if (typeof units === 'bigint') return units;
  const sentence = {
    not_a_decimal: 'must be a decimal string in plain notation, like "12.50"',
    too_many_decimals: `must have at most ${decimals} fraction digits, as ${symbol} has`,
    not_positive: 'must be greater than zero',
    too_large: 'must be an amount that can exist on the network (below 2^256 smallest units)',
  }[units];
  throw invalidField('amount', units, sentence);
}
