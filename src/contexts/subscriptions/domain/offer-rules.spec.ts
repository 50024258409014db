import { describe, expect, it } from '@jest/globals';
import { MAX_SUBSCRIPTION_DAYS_AHEAD, MAX_OFFER_DAYS, offerExpiryOf } from './offer-rules.js';
import { dayAfterStart, START } from '../testing/agreed.js';

const later = (date: Date) => new Date(date.getTime() + 1);

describe('The rule for the times of an offer', () => {
  it.each([
    ['one day without a setting', {}, dayAfterStart(1)],
    ['the maximum', { expiresAt: dayAfterStart(MAX_OFFER_DAYS) }, dayAfterStart(MAX_OFFER_DAYS)],
    ['an end just after the offer', { endsAt: later(dayAfterStart(1)) }, dayAfterStart(1)],
    [
      'an end just after the trial',
      { trialUntil: dayAfterStart(5), endsAt: later(dayAfterStart(5)) },
      dayAfterStart(1),
    ],
    ['the latest trial', { trialUntil: dayAfterStart(MAX_SUBSCRIPTION_DAYS_AHEAD) }, dayAfterStart(1)],
  ])('accepts valid times: %s', (_, times, until) => {
    expect(offerExpiryOf(times, START)).toEqual(until);
  });

  it.each([
    ['an offer that ends now', { expiresAt: START }, 'expires_at'],
    ['an offer beyond the maximum', { expiresAt: later(dayAfterStart(MAX_OFFER_DAYS)) }, 'expires_at'],
    ['a trial until now', { trialUntil: START }, 'trial_until'],
    ['an end beyond the maximum', { endsAt: later(dayAfterStart(MAX_SUBSCRIPTION_DAYS_AHEAD)) }, 'ends_at'],
    ['an end at the end of the offer', { endsAt: dayAfterStart(1) }, 'ends_at'],
    [
      'an end after the trial but not after the offer',
      { trialUntil: dayAfterStart(0.5), endsAt: dayAfterStart(1) },
      'ends_at',
    ],
    ['an end at the end of the trial', { trialUntil: dayAfterStart(5), endsAt: dayAfterStart(5) }, 'ends_at'],
  ])('rejects invalid times: %s', (_, times, field) => {
    expect(() => offerExpiryOf(times, START)).toThrow(field);
  });
});
