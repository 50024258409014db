import { Since } from '../known/since.js';
import type { ExchangeFact } from '../../facts/fact.js';
import { textOf, timeOf, type Json } from '../known/values.js';
import type { Span } from '../requests/payment-request.js';

export type SubscriptionStatus = 'pending' | 'active' | 'past_due' | 'revoked' | 'expired' | 'completed';

/** Statuses that may follow a status, sooner or later. */
export const LATER: Readonly<Record<SubscriptionStatus, readonly SubscriptionStatus[]>> = {
  pending: ['pending', 'active', 'past_due', 'revoked', 'expired', 'completed'],
  active: ['active', 'past_due', 'revoked', 'completed'],
  past_due: ['past_due', 'active', 'revoked', 'completed'],
  revoked: ['revoked'],
  expired: ['expired'],
  completed: ['completed'],
};

export interface Subscription {
  readonly id: string;
  readonly posId: string;
  readonly organizationId: string;
  accountId: string;
  readonly made: Span;
  readonly fields: Json;
  readonly shown: Since<SubscriptionStatus>;
  /** Wallets that accepted it, or may have. */
  readonly wallets: Set<string>;
  /** The wallet whose acceptance was answered first. */
  acceptedBy?: string;
  /** When it was shown last. */
  shownAt: number;
  /** When it was accepted, once that was answered. */
  accepted?: Span;
  mayBeAccepted: boolean;
  /** When it was revoked, or may have been. */
  revoked?: Span & { readonly isCertain: boolean };
}

export class Subscriptions {
  readonly byId = new Map<string, Subscription>();
  /** External ids by the ids that the service assigned to wallets. */
  readonly walletIds = new Map<string, string>();
}

/** The first due date: the trial's end, else the acceptance. */
export function firstDue(subscription: Subscription): Span | undefined {
  const trial = timeOf(subscription.fields.trial_until);
  if (trial !== null) return { from: trial, to: trial };
  return subscription.accepted;
}

export function isSubscriptionStatus(value: unknown): value is SubscriptionStatus {
  return typeof value === 'string' && Object.hasOwn(LATER, value);
}

export function newSubscription(
  known: Pick<Subscription, 'id' | 'posId' | 'organizationId' | 'accountId' | 'made' | 'fields'>,
): Subscription {
  return {
    ...known,
    shown: new Since<SubscriptionStatus>('pending'),
    wallets: new Set(),
    shownAt: -Infinity,
    mayBeAccepted: false,
  };
}

/** A path that no rule knows may revoke a subscription that it names, by its id or as a part of its page. */
export function noteRevocation(
  { method, path, sentAt, at }: ExchangeFact,
  subscriptions: Subscriptions,
): void {
  if (method === 'GET' || !/revoke|cancel|charges/.test(path)) return;
  const parts = path.split('/');
  for (const subscription of subscriptions.byId.values()) {
    const page = textOf(subscription.fields.url).split('/').pop()!;
    const isNamed = parts.includes(subscription.id) || (page !== '' && parts.includes(page));
    if (isNamed) subscription.revoked ??= { from: sentAt, to: at, isCertain: false };
  }
}
