import { describe, expect, it } from '@jest/globals';
import { MAX_DAYS_AHEAD, MAX_OFFER_DAYS, offeredUntil } from './offer-rules.js';
import { day, START } from '../testing/agreed.js';

const later = (date: Date) => new Date(date.getTime() + 1);

describe('The rule for the times of an offer', () => {
  it.each([
    ['one day without a setting', {}, day(1)],
    ['the maximum', { expiresAt: day(MAX_OFFER_DAYS) }, day(MAX_OFFER_DAYS)],
    ['an end just after the offer', { endsAt: later(day(1)) }, day(1)],
    ['an end just after the trial', { trialUntil: day(5), endsAt: later(day(5)) }, day(1)],
    ['the latest trial', { trialUntil: day(MAX_DAYS_AHEAD) }, day(1)],
  ])('accepts valid times: %s', (_, times, until) => {
    expect(offeredUntil(times, START)).toEqual(until);
  });

  it.each([
    ['an offer that ends now', { expiresAt: START }, 'expires_at'],
    ['an offer beyond the maximum', { expiresAt: later(day(MAX_OFFER_DAYS)) }, 'expires_at'],
    ['a trial until now', { trialUntil: START }, 'trial_until'],
    ['an end at the end of the offer', { endsAt: day(1) }, 'ends_at'],
    ['an end after the trial but not after the offer', { trialUntil: day(0.5), endsAt: day(1) }, 'ends_at'],
    ['an end at the end of the trial', { trialUntil: day(5), endsAt: day(5) }, 'ends_at'],
  ])('rejects invalid times: %s', (_, times, field) => {
    expect(() => offeredUntil(times, START)).toThrow(field);
  });
});
