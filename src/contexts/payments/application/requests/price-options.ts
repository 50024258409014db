import { Injectable } from '@nestjs/common';
import { MAX_AMOUNT } from '#shared/kernel/amount.js';
import type { Asset } from '#shared/kernel/asset.js';
import { DomainError, invalidField } from '#shared/kernel/domain-error.js';
import { convertedAmount } from '#contexts/rates/contract/amount-rounding-rule.js';
import { type Missing, Quotes, type Rate } from '#contexts/rates/contract/quotes.js';
import { requireMinimumAmount } from '../../domain/requests/minimum-amount-rule.js';
import type { Asked } from './assign-address.js';

/** An asset that can be chosen; without an amount while its price is not known. */
export type PricedOption = Pick<Asked, 'asset'> & Partial<Asked>;

/** Prices each asset. It may call rate sources, so it is never used inside a unit of work. */
@Injectable()
export class PriceOptions {
  constructor(private readonly quotes: Quotes) {}

  /** @throws rate_unavailable, validation_failed where the amount is out of the asset's bounds */
  async one(asset: Asset, amount: string, coinCode: string, now: Date): Promise<Asked> {
    return asked(asset, amount, await this.quotes.quote(asset, coinCode, now));
  }

  /**
   * The assets that can be paid. One of which the price would be less than its minimum is left out; one without a current
   * price stays, to be chosen later.
   * @param assets at least one
   * @throws rate_unavailable where none has a price now; validation_failed where every one is out of its bounds
   */
  async several(
    assets: readonly Asset[],
    amount: string,
    coinCode: string,
    now: Date,
  ): Promise<[PricedOption, ...PricedOption[]]> {
    const outcomes = await Promise.all(
      assets.map((asset) =>
        this.one(asset, amount, coinCode, now).catch((error: unknown) => {
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

  /** Reads only memory. @returns undefined where the rate is not known now, or the amount is out of bounds */
  known(
    asset: Asset,
    amount: string,
    coinCode: string,
    now: Date,
    missing: Missing = 'ask',
  ): Asked | undefined {
    const rate = this.quotes.known(asset, coinCode, now, missing);
    if (rate === undefined) return undefined;
    try {
      return asked(asset, amount, rate);
    } catch (error) {
      if (error instanceof DomainError) return undefined;
      throw error;
    }
  }
}

function asked(asset: Asset, price: string, rate: Rate | null): Asked {
  const amount = convertedAmount(price, rate?.price ?? '1', asset.decimals);
  requireMinimumAmount(amount, asset, 'must be worth');
  if (amount > MAX_AMOUNT) {
    throw invalidField('amount', 'too_large', 'must be less than 2^256 smallest units of the asset.');
  }
  return { asset, amount, rate: rate ?? undefined };
}
