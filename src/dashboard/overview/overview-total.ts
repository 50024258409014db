import type { Rate } from '#contexts/rates/contract/quotes.js';
import { currencyDigits } from '#shared/kernel/currency.js';
import { addExactDecimals, exactValueAtPrice, roundExactDecimal } from '#shared/kernel/exact-decimal.js';
import type { CurrencyVolume } from './overview.js';

/** An amount in smallest units of an asset. */
interface AssetAmount extends Pick<CurrencyVolume, 'currency' | 'decimals'> {
  readonly amount: bigint;
}

/** Value of all assets in one currency, in its smallest units. */
export interface OverviewTotal extends Omit<CurrencyVolume, 'payments'> {
  /** Value of the current balances that are not settled yet. */
  readonly unsettled: bigint;
  /** Rates by asset symbol. */
  readonly rates: ReadonlyMap<string, Rate>;
  /** Symbols of the assets that the total omits, because they have no rate. */
  readonly missing: readonly string[];
}

/** Values all periods at the same rates, so that they are comparable. */
export function buildTotal(
  currency: string,
  rates: ReadonlyMap<string, Rate>,
  volumes: readonly CurrencyVolume[],
  unsettled: readonly AssetAmount[],
): OverviewTotal {
  const decimals = currencyDigits(currency) ?? 0;
  const volume = (amountOf: (of: CurrencyVolume) => bigint) =>
    totalValue(
      volumes.map((of) => ({ currency: of.currency, decimals: of.decimals, amount: amountOf(of) })),
      rates,
      decimals,
    );
  const days = volumes[0]?.byDay.now ?? [];
  const used = [...volumes.filter(({ volume: { now } }) => now !== 0n), ...unsettled];
  return {
    ...{ currency, decimals, rates },
    volume: { now: volume((of) => of.volume.now), before: volume((of) => of.volume.before) },
    byDay: {
      now: days.map((_, place) => volume((of) => of.byDay.now[place]!)),
      before: days.map((_, place) => volume((of) => of.byDay.before[place]!)),
    },
    unsettled: totalValue(unsettled, rates, decimals),
    missing: [...new Set(used.map((of) => of.currency))].filter((symbol) => !rates.has(symbol)),
  };
}

/** Adds exact values, then rounds the sum half away from zero. Omits assets without a rate. */
function totalValue(
  amounts: readonly AssetAmount[],
  rates: ReadonlyMap<string, Rate>,
  fractionDigits: number,
): bigint {
  const values = amounts.flatMap(({ currency, decimals, amount }) => {
    const rate = rates.get(currency);
    return rate === undefined ? [] : [exactValueAtPrice(amount, decimals, rate.price)];
  });
  return roundExactDecimal(fractionDigits, values.reduce(addExactDecimals, { digits: 0n, scale: 0 }));
}
