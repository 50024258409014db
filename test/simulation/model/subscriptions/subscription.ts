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
  readonly about: string;
  readonly posId: string;
  readonly organizationId: string;
  accountId: string;
  readonly made: Span;
  readonly fields: Json;
  readonly shown: Since<SubscriptionStatus>;
  readonly wallets: Set<string>;
  acceptedBy?: string;
  shownAt: number;
  accepted?: Span;
  mayBeAccepted: boolean;
  revoked?: Span & { readonly isCertain: boolean };
}

export class Subscriptions {
  readonly byId = new Map<string, Subscription>();
  readonly walletIds = new Map<string, string>();
}

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
    about: `subscription ${known.id}`,
    shown: new Since<SubscriptionStatus>('pending'),
    wallets: new Set(),
    shownAt: -Infinity,
    mayBeAccepted: false,
  };
}

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

const STEPS: Readonly<Record<string, { days?: number; months?: number }>> = {
  P1D: { days: 1 },
  P1W: { days: 7 },
  P1M: { months: 1 },
  P1Y: { months: 12 },
};

export function isInterval(value: unknown): value is string {
  return typeof value === 'string' && Object.hasOwn(STEPS, value);
}

export function dueDate(first: number, interval: string, count: number): number {
  const { days = 0, months = 0 } = STEPS[interval] ?? {};
  if (months === 0) return first + days * count * 86_400_000;
  const date = new Date(first);
  const month = date.getUTCMonth() + months * count;
  const last = new Date(Date.UTC(date.getUTCFullYear(), month + 1, 0)).getUTCDate();
  const day = Math.min(date.getUTCDate(), last);
  return Date.UTC(date.getUTCFullYear(), month, day) + (first % 86_400_000);
}

export function isDueDate(
  time: number,
  first: { readonly from: number; readonly to: number },
  interval: string,
): boolean {
  for (let count = 0; count < 4000; count += 1) {
    const from = dueDate(first.from, interval, count);
    if (from > time + 1000) return false;
    if (time <= dueDate(first.to, interval, count) + 1000) return true;
  }
  return true;
}
