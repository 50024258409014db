import { describe, expect, it } from '@jest/globals';
import { newId } from '#shared/kernel/ids.js';
import type { PaymentRequestStatus } from '../../contract/payment-request-events.js';
import { isReused } from './payment-link-sessions.js';

const EXPIRES_AT = new Date('2026-01-31T12:08:00.000Z');
const COUNTS_UNTIL = new Date('2026-01-31T12:09:00.000Z');
const BEFORE = new Date(EXPIRES_AT.getTime() - 1);
const IN_GRACE = EXPIRES_AT;
const LONG_AFTER = COUNTS_UNTIL;

function found(status: PaymentRequestStatus, now: Date, forceNew = false): boolean {
  const session = { requestId: newId<never>(), sessionId: 'session', expiresAt: EXPIRES_AT };
  return isReused({ ...session, status, countsUntil: COUNTS_UNTIL }, now, forceNew);
}

describe('Finding the checkout of a payment link again', () => {
  it('finds one that can be paid, also by whom wants a new one', () => {
    for (const status of ['pending', 'created', 'processing'] as const) {
      expect(found(status, BEFORE)).toBe(true);
      expect(found(status, BEFORE, true)).toBe(true);
    }
  });

  it('finds one that is being paid, whatever the time', () => {
    expect(found('processing', LONG_AFTER)).toBe(true);
    expect(found('processing', LONG_AFTER, true)).toBe(true);
  });

  it('finds a paid one unless a new one is wanted', () => {
    for (const status of ['completed', 'overpaid', 'underpaid'] as const) {
      expect(found(status, LONG_AFTER)).toBe(true);
      expect(found(status, LONG_AFTER, true)).toBe(false);
    }
  });

  it('replaces one that ended without payment', () => {
    expect(found('expired', BEFORE)).toBe(false);
    expect(found('failed', BEFORE)).toBe(false);
  });

  it('replaces one at the end of its window when no address was shown', () => {
    expect(found('pending', IN_GRACE)).toBe(false);
  });

  it('keeps one whose address was shown until no payment to it can count', () => {
    expect(found('created', IN_GRACE)).toBe(true);
    expect(found('created', LONG_AFTER)).toBe(false);
  });

  it('replaces one at the end of its window when a new one is wanted', () => {
    expect(found('created', IN_GRACE, true)).toBe(false);
  });
});
