import { Injectable } from '@nestjs/common';
import { formatAmount } from '#shared/kernel/amount.js';
import { DomainError } from '#shared/kernel/domain-error.js';
import { pageBranding } from '#shared/web/branding/page-branding.js';
import { AccountBranding } from '#contexts/identity/contract/account-branding.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { PointsOfSale } from '#contexts/point-of-sale/contract/points-of-sale.js';
import { SubscriptionSettings } from '../../application/payer-page.js';
import {
  CHARGES_PER_PAGE,
  type ChargeView,
  type PayerSubscription,
} from '../persistence/subscription-queries.js';
import type { SubscriptionStatus } from '../../contract/subscription-events.js';
import type { SubscriptionSnapshot } from '../../domain/subscription-snapshot.js';
import type { DisplayedCharge, SubscriptionPageModel } from '../pages/subscription-page-model.js';

@Injectable()
export class SubscriptionPageModels {
  constructor(
    private readonly catalogue: NetworkCatalogue,
    private readonly brandings: AccountBranding,
    private readonly pointsOfSale: PointsOfSale,
    private readonly settings: SubscriptionSettings,
  ) {}

  async modelOf(read: PayerSubscription, page = 1): Promise<SubscriptionPageModel> {
    const { subscription, charges, now } = read;
    const { asset, trialUntil, endsAt, acceptedAt, firstDueAt, revokedBy, next } = subscription;
    return {
      code: subscription.code,
      merchant: subscription.merchantName,
      branding: pageBranding(await this.brandings.brandingOf(subscription)),
      sandbox: this.settings.isSandbox,
      description: await this.descriptionOf(subscription),
      amount: formatAmount(subscription.amount, asset.decimals),
      symbol: asset.symbol,
      assetName: this.catalogue.asset(asset.uniqueAssetId)?.name ?? asset.symbol,
      networkName: this.catalogue.network(asset.network)?.name ?? asset.network,
      interval: subscription.interval,
      status: displayedStatusOf(subscription, now),
      revokedBy,
      offeredUntil: subscription.offeredUntil,
      acceptedAt,
      firstDueAt,
      freeUntil: trialUntil,
      endsAt,
      nextAt: next?.at,
      now,
      toPay: chargeToPay(read),
      charges: charges.items.map(toDisplayedCharge),
      page,
      pages: Math.ceil(charges.total / CHARGES_PER_PAGE),
    };
  }

  /** @returns undefined also if the account has been deleted */
  private async descriptionOf(subscription: SubscriptionSnapshot): Promise<string | undefined> {
    try {
      return (await this.pointsOfSale.find(subscription, subscription.pointOfSaleId)).merchant.description;
    } catch (error) {
      if (error instanceof DomainError && error.code === 'not_found') return undefined;
      throw error;
    }
  }
}

function displayedStatusOf({ status, offeredUntil }: SubscriptionSnapshot, now: Date): SubscriptionStatus {
  return status === 'pending' && offeredUntil <= now ? 'expired' : status;
}

/** Payment requests are only opened for the last charge of an active or past-due subscription. */
function chargeToPay({ subscription, latest, now }: PayerSubscription): SubscriptionPageModel['toPay'] {
  const isCharging = subscription.status === 'active' || subscription.status === 'past_due';
  if (!isCharging || latest?.status !== 'open' || latest.closesAt <= now) return undefined;
  const { dueAt, closesAt: until, request } = latest;
  return { dueAt, until, refused: request?.refused !== undefined };
}

function toDisplayedCharge({ dueAt, status, missedAt, paidAt }: ChargeView): DisplayedCharge {
  return { dueAt, status, missed: missedAt !== undefined, paidAt };
}
