import { invalidField } from '#shared/kernel/domain-error.js';
import { daysAfter } from './billing-interval.js';

const DEFAULT_OFFER_DAYS = 1;
export const MAX_OFFER_DAYS = 90;
export const MAX_SUBSCRIPTION_DAYS_AHEAD = 3_660;

export interface OfferTimes {
  readonly trialUntil?: Date | undefined;
  readonly endsAt?: Date | undefined;
  readonly expiresAt?: Date | undefined;
}

export function offerExpiryOf({ trialUntil, endsAt, expiresAt }: OfferTimes, now: Date): Date {
  refuseUnlessWithin('expires_at', expiresAt, now, MAX_OFFER_DAYS);
  refuseUnlessWithin('trial_until', trialUntil, now, MAX_SUBSCRIPTION_DAYS_AHEAD);
  refuseUnlessWithin('ends_at', endsAt, now, MAX_SUBSCRIPTION_DAYS_AHEAD);
  const until = expiresAt ?? daysAfter(now, DEFAULT_OFFER_DAYS);
  const latestStart = trialUntil !== undefined && trialUntil > until ? trialUntil : until;
  if (endsAt !== undefined && endsAt <= latestStart) {
    throw invalidField(
      'ends_at',
      'after_start',
      `must be later than ${latestStart.toISOString()}, because the first payment can be due as late as that (when the trial or the offer ends).`,
    );
  }
  return until;
}

function refuseUnlessWithin(field: string, time: Date | undefined, now: Date, days: number): void {
  if (time === undefined || (time > now && time <= daysAfter(now, days))) return;
  throw invalidField(field, 'future', `must be in the future, at most ${days} days ahead.`);
}
