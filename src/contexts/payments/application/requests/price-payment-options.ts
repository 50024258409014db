import { Injectable } from '@nestjs/common';
import { MAX_AMOUNT } from '#shared/kernel/amount.js';
import type { Asset } from '#shared/kernel/asset.js';
import { DomainError, invalidField } from '#shared/kernel/domain-error.js';
import { smallestAssetAmountWorth } from '#shared/kernel/decimal.js';
import { type MissingRateAction, Quotes, type Rate } from '#contexts/rates/contract/quotes.js';
import { requireMinimumAmount } from '../../domain/requests/selection.js';
import type { PricedAsset } from './assign-address.js';

/** Has no amount while its rate is unknown. */
export type PricedOption = Pick<PricedAsset, 'asset'> & Partial<PricedAsset>;

/** May call rate sources, so it must not run inside a unit of work. */
@Injectable()
export class PricePaymentOptions {
  constructor(private readonly quotes: Quotes) {}

  async priceAsset(asset: Asset, amount: string, coinCode: string, now: Date): Promise<PricedAsset> {
    return convertPrice(asset, amount, await this.quotes.quote(asset, coinCode, now));
  }

  /**
   * Omits assets for which the amount is outside the limits. Keeps assets without a current rate, because a rate may
   * be available when the payer selects one.
   * @throws rate_unavailable if no asset has a rate now; validation_failed
   */
  async priceAssets(
    assets: readonly Asset[],
    amount: string,
    coinCode: string,
    now: Date,
  ): Promise<[PricedOption, ...PricedOption[]]> {
    const outcomes = await Promise.all(
      assets.map((asset) =>
        this.priceAsset(asset, amount, coinCode, now).catch((error: unknown) => {
          if (error instanceof DomainError) return { asset, error };
          throw error;
        }),
      ),
    );
    const refused = outcomes.flatMap((outcome) => ('error' in outcome ? [outcome.error] : []));
    const options = outcomes.flatMap<PricedOption>((outcome) => {
      if (!('error' in outcome)) return outcome;
      return outcome.error.kind === 'unavailable' ? { asset: outcome.asset } : [];
    });
    const [first, ...others] = options;
    if (first === undefined || options.every((option) => option.amount === undefined)) {
      throw refused.find(({ kind }) => kind === 'unavailable') ?? refused[0]!;
    }
    return [first, ...others];
  }

  /** Undefined if no rate is in memory, or if the amount is outside the limits of the asset. */
  priceWithKnownRate(
    asset: Asset,
    amount: string,
    coinCode: string,
    now: Date,
    missing: MissingRateAction = 'ask',
  ): PricedAsset | undefined {
    const rate = this.quotes.cachedQuote(asset, coinCode, now, missing);
    if (rate === undefined) return undefined;
    try {
      return convertPrice(asset, amount, rate);
    } catch (error) {
      if (error instanceof DomainError) return undefined;
      throw error;
    }
  }
}

function convertPrice(asset: Asset, price: string, rate: Rate | null): PricedAsset {
  const amount = smallestAssetAmountWorth(price, rate?.price ?? '1', asset.decimals);
  requireMinimumAmount(amount, asset, 'must be worth');
  if (amount > MAX_AMOUNT) {
    throw invalidField('amount', 'too_large', 'must be less than 2^256 smallest units of the asset.');
  }
  return { asset, amount, rate: rate ?? undefined };
}
