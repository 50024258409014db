import {
  newId,
  type AccountId,
  type OrganizationId,
  type PaymentRequestId,
  type PointOfSaleId,
  type SubscriptionId,
  type WalletId,
} from '#shared/kernel/ids.js';
import { daysAfter } from '../domain/billing-interval.js';
import type { ChargeRequestOutcome } from '../domain/charge.js';
import { Subscription } from '../domain/subscription.js';
import type { SubscriptionOffer, Wallet } from '../domain/subscription-snapshot.js';

export const START = new Date('2027-01-31T10:00:00Z');
/** Time for which a payment request of a charge stays open, as in payments. */
export const WINDOW_MS = 8 * 60_000;

export function dayAfterStart(days: number): Date {
  return daysAfter(START, days);
}

export function windowEndAfter(date: Date): Date {
  return new Date(date.getTime() + WINDOW_MS);
}

export function newOffer(terms: Partial<SubscriptionOffer> = {}): Subscription {
  return Subscription.offer({
    id: newId<SubscriptionId>(),
    organizationId: newId<OrganizationId>(),
    accountId: newId<AccountId>(),
    pointOfSaleId: newId<PointOfSaleId>(),
    code: 'Zr0t8pJ5cVd2mQw7LxK1Ag',
    merchantName: 'Corner shop',
    asset: { uniqueAssetId: 'nsandbox_t0xabc', network: 'sandbox', symbol: 'USDC', decimals: 6 },
    amount: 5_000_000n,
    interval: 'P1M',
    offeredUntil: dayAfterStart(1),
    createdAt: START,
    ...terms,
  });
}

export function newWallet(externalId = 'wallet-1'): Wallet {
  return { id: newId<WalletId>(), externalId };
}

export function acceptedSubscription(terms: Partial<SubscriptionOffer> = {}): Subscription {
  const subscription = newOffer(terms);
  subscription.accept(newWallet(), START, newId);
  return subscription;
}

export function requestInFlightOf(subscription: Subscription): PaymentRequestId {
  return subscription.chargesByNumber.findLast(({ requestInFlight }) => requestInFlight !== undefined)!
    .requestInFlight!.id;
}

/** Opens the planned request of the subscription, then ends it with this outcome. */
export function endRequest(subscription: Subscription, outcome: ChargeRequestOutcome, at: Date): void {
  const id = requestInFlightOf(subscription);
  subscription.recordRequestOpened(id);
  subscription.recordRequestEnded(id, outcome, at);
}

/** Performs all steps until this time and lets each payment request expire unpaid. */
export function missChargesUntil(subscription: Subscription, until: Date): void {
  for (;;) {
    const step = subscription.nextStepAt;
    if (step === null || step > until) return;
    subscription.advance(step, newId);
    const open = subscription.chargesByNumber.findLast(
      ({ requestInFlight }) => requestInFlight !== undefined,
    );
    if (open !== undefined) endRequest(subscription, 'unpaid', windowEndAfter(step));
  }
}
