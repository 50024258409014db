import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { formatAmount } from '#shared/kernel/amount.js';
import type { Asset } from '#shared/kernel/asset.js';
import { currencyDigits, isCurrency } from '#shared/kernel/currency.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { type FeeCoin, type TransferFee, TransferFees } from '#contexts/networks/contract/transfer-fees.js';
import { decimal } from '#contexts/rates/contract/amount-rounding-rule.js';
import { Quotes } from '#contexts/rates/contract/quotes.js';
import type { NetworkFeeHint } from '../pages/checkout-page-model.js';

/** The market is asked for a price so often at most: a hint needs no newer one. */
const FRESH_MS = 60_000;
/** The time of a rate by a peg, which no hint shows. */
const UNDATED = new Date(0);
/** A fee in a coin is shown with so many digits. */
const SIGNIFICANT_DIGITS = 2;

/** An older price says nothing about the present. */
const HOLDS_MS = 10 * 60_000;

/** The network fee that a payment costs its payer, roughly. Memory answers everything; what it lacks, pages leave out. */
@Injectable()
export class NetworkFeeHints {
  private readonly prices = new LRUCache<string, { readonly price: string; readonly readAt: number }>({
    max: 500,
    ttl: HOLDS_MS,
  });

  constructor(
    private readonly fees: TransferFees,
    private readonly quotes: Quotes,
    private readonly catalogue: NetworkCatalogue,
  ) {}

  /** Asks in the background for what the page of a new checkout is about to show. */
  prepare(paymentOptions: readonly string[], coinCode: string): void {
    for (const id of paymentOptions) {
      const asset = this.catalogue.asset(id);
      if (asset !== undefined) this.hint(asset, coinCode);
    }
  }

  /**
   * @param coinCode of the payment's price
   * @returns the fee in the currency of the price, in the network's coin where its price is not known; undefined where the fee
   *   is not known
   */
  hint(asset: Asset, coinCode: string): NetworkFeeHint | undefined {
    const currency = this.currencyOf(coinCode);
    const fee = this.fees.known(asset);
    if (fee === undefined || fee.amount === 0n) return undefined;
    const price = currency === undefined ? undefined : this.price(fee.coin, currency);
    return price === undefined ? inCoin(fee) : inCurrency(fee, price, currency!);
  }

  /** The price's own, or that of the asset it is named in. */
  private currencyOf(coinCode: string): string | undefined {
    if (isCurrency(coinCode)) return coinCode;
    return this.catalogue.assets().find(({ symbol }) => symbol === coinCode)?.peg;
  }

  private price(coin: FeeCoin, currency: string): string | undefined {
    const key = `${coin.symbol}/${currency}`;
    const remembered = this.prices.get(key);
    const readAt = performance.now();
    if (remembered !== undefined && readAt - remembered.readAt < FRESH_MS) return remembered.price;
    const price = this.quotes.known(coin, currency, UNDATED, 'ask')?.price;
    if (price === undefined) return remembered?.price;
    this.prices.set(key, { price, readAt });
    return price;
  }
}

/** Rounded up in the smallest unit of the currency; below one of it, that it is less. */
function inCurrency({ amount, coin }: TransferFee, price: string, currency: string): NetworkFeeHint {
  const digits = currencyDigits(currency)!;
  const each = decimal(price);
  const numerator = amount * each.digits * 10n ** BigInt(digits);
  const one = 10n ** BigInt(coin.decimals + each.scale);
  const units = (numerator + one - 1n) / one;
  return { amount: formatAmount(units, digits), coinCode: currency, isLess: numerator < one };
}

function inCoin({ amount, coin }: TransferFee): NetworkFeeHint {
  const unit = 10n ** BigInt(Math.max(0, amount.toString().length - SIGNIFICANT_DIGITS));
  const rounded = ((amount + unit - 1n) / unit) * unit;
  return { amount: formatAmount(rounded, coin.decimals), coinCode: coin.symbol, isLess: false };
}
