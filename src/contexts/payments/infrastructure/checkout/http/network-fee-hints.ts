import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { formatAmount } from '#shared/kernel/amount.js';
import { isNative, type Asset } from '#shared/kernel/asset.js';
import { currencyDigits, isCurrency } from '#shared/kernel/currency.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { type FeeCoin, type TransferFee, TransferFees } from '#contexts/networks/contract/transfer-fees.js';
import { parseDecimal } from '#shared/kernel/decimal.js';
import { Quotes } from '#contexts/rates/contract/quotes.js';
import type { NetworkFeeHint } from '../pages/checkout-page-model.js';

const REQUEST_PRICE_EVERY_MS = 60_000;
/** Hints do not display this timestamp. */
const PEGGED_RATE_TIME = new Date(0);
const SIGNIFICANT_DIGITS = 2;

const MAX_PRICE_AGE_MS = 10 * 60_000;

/** Reads only memory; pages omit unknown fees. */
@Injectable()
export class NetworkFeeHints {
  private readonly prices = new LRUCache<string, { readonly price: string; readonly readAt: number }>({
    max: 500,
    ttl: MAX_PRICE_AGE_MS,
  });

  constructor(
    private readonly fees: TransferFees,
    private readonly quotes: Quotes,
    private readonly catalogue: NetworkCatalogue,
  ) {}

  prepare(paymentOptions: readonly string[], coinCode: string): void {
    for (const id of paymentOptions) {
      const asset = this.catalogue.asset(id);
      if (asset !== undefined) this.hint(asset, coinCode);
    }
  }

  /** Returns the fee in the currency of the price, or in the network's coin if its price is unknown. */
  hint(asset: Asset, coinCode: string): NetworkFeeHint | undefined {
    const currency = this.currencyOf(coinCode);
    const fee = this.fees.cachedFee(asset);
    if (fee === undefined || fee.amount === 0n) return undefined;
    const price = currency === undefined ? undefined : this.price(fee.coin, currency);
    const hint = price === undefined ? feeInCoin(fee) : feeInCurrency(fee, price, currency!);
    return isNative(asset) ? hint : { ...hint, feeCoin: fee.coin.symbol };
  }

  private currencyOf(coinCode: string): string | undefined {
    if (isCurrency(coinCode)) return coinCode;
    return this.catalogue.assets().find(({ symbol }) => symbol === coinCode)?.peg;
  }

  private price(coin: FeeCoin, currency: string): string | undefined {
    const key = `${coin.symbol}/${currency}`;
    const remembered = this.prices.get(key);
    const readAt = performance.now();
    if (remembered !== undefined && readAt - remembered.readAt < REQUEST_PRICE_EVERY_MS)
      return remembered.price;
    const price = this.quotes.cachedQuote(coin, currency, PEGGED_RATE_TIME, 'ask')?.price;
    if (price === undefined) return remembered?.price;
    this.prices.set(key, { price, readAt });
    return price;
  }
}

/** Rounds up to the currency's smallest unit. A lower fee is displayed as "less than" that unit. */
function feeInCurrency({ amount, coin }: TransferFee, price: string, currency: string): NetworkFeeHint {
  const digits = currencyDigits(currency)!;
  const each = parseDecimal(price);
  const numerator = amount * each.digits * 10n ** BigInt(digits);
  const one = 10n ** BigInt(coin.decimals + each.scale);
  const units = (numerator + one - 1n) / one;
  return { amount: formatAmount(units, digits), coinCode: currency, isLess: numerator < one };
}

function feeInCoin({ amount, coin }: TransferFee): NetworkFeeHint {
  const unit = 10n ** BigInt(Math.max(0, amount.toString().length - SIGNIFICANT_DIGITS));
  const rounded = ((amount + unit - 1n) / unit) * unit;
  return { amount: formatAmount(rounded, coin.decimals), coinCode: coin.symbol, isLess: false };
}
