import { describe, expect, it } from '@jest/globals';
import { newId } from '#shared/kernel/ids.js';
import type { PaymentRequestStatus } from '../../contract/payment-request-events.js';
import { isSessionReused } from './payment-link-session.js';

const EXPIRES_AT = new Date('2026-01-31T12:08:00.000Z');
const COUNTS_UNTIL = new Date('2026-01-31T12:09:00.000Z');
const BEFORE = new Date(EXPIRES_AT.getTime() - 1);
const IN_GRACE = EXPIRES_AT;
const LONG_AFTER = COUNTS_UNTIL;

function isFoundSessionReused(status: PaymentRequestStatus, now: Date, forceNew = false): boolean {
  const session = { requestId: newId<never>(), sessionId: 'session', expiresAt: EXPIRES_AT };
  return isSessionReused({ ...session, status, countsUntil: COUNTS_UNTIL }, now, forceNew);
}

describe('A checkout of a payment link', () => {
  it('is reused while it can be paid, even if a new one is requested', () => {
    for (const status of ['pending', 'created', 'processing'] as const) {
      expect(isFoundSessionReused(status, BEFORE)).toBe(true);
      expect(isFoundSessionReused(status, BEFORE, true)).toBe(true);
    }
  });

  it('is reused while it is being paid, at any time', () => {
    expect(isFoundSessionReused('processing', LONG_AFTER)).toBe(true);
    expect(isFoundSessionReused('processing', LONG_AFTER, true)).toBe(true);
  });

  it('is reused after payment unless a new one is requested', () => {
    for (const status of ['completed', 'overpaid', 'underpaid'] as const) {
      expect(isFoundSessionReused(status, LONG_AFTER)).toBe(true);
      expect(isFoundSessionReused(status, LONG_AFTER, true)).toBe(false);
    }
  });

  it('is replaced after it ended without payment', () => {
    expect(isFoundSessionReused('expired', BEFORE)).toBe(false);
    expect(isFoundSessionReused('failed', BEFORE)).toBe(false);
  });

  it('is replaced at the end of its window if no address was shown', () => {
    expect(isFoundSessionReused('pending', IN_GRACE)).toBe(false);
  });

  it('is reused after its window until no payment to its address can count, unless a new one is requested', () => {
    expect(isFoundSessionReused('created', IN_GRACE)).toBe(true);
    expect(isFoundSessionReused('created', LONG_AFTER)).toBe(false);
    expect(isFoundSessionReused('created', IN_GRACE, true)).toBe(false);
  });
});
