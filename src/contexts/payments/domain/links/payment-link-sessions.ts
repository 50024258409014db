import type { PaymentRequestId, PaymentLinkId, PointOfSaleId } from '#shared/kernel/ids.js';
import type { PaymentRequestStatus } from '../../contract/payment-request-events.js';

/** Checkout of one payer for a payment link. */
export interface PaymentLinkSession {
  readonly requestId: PaymentRequestId;
  readonly sessionId: string;
  readonly status: PaymentRequestStatus;
  readonly expiresAt: Date;
  /** Last block timestamp at which a transfer counts. */
  readonly countsUntil: Date;
}

/**
 * Returns true if a payer who opens the link again gets this checkout. A checkout whose address was displayed is reused until
 * no payment to it can count. Otherwise a payer whose last-second payment is not in a block yet would pay twice.
 * @param forceNew replaces a checkout that is paid or past its window
 */
export function isReused(session: PaymentLinkSession, now: Date, forceNew: boolean): boolean {
  switch (session.status) {
    case 'pending':
      return now < session.expiresAt;
    case 'created':
      return now < (forceNew ? session.expiresAt : session.countsUntil);
    case 'processing':
      return true;
    case 'completed':
    case 'overpaid':
    case 'underpaid':
      return !forceNew;
    case 'expired':
    case 'failed':
      return false;
  }
}

/** A payer opens a session by a payment link or at an open-amount point of sale. */
export type OpenedAt = PaymentLinkId | PointOfSaleId;

/** Checkouts opened by payment links. A secret in a cookie, which is not stored, identifies the payer. */
export abstract class PaymentLinkSessions {
  abstract find(link: PaymentLinkId, payerSecret: string): Promise<PaymentLinkSession | undefined>;

  /**
   * Assigns a request stored in the same unit of work to the payer, by compare-and-set. The second of two concurrent calls waits
   * for the first to commit.
   * @param instead the payer's previous request; null if there was none
   * @returns false, with nothing stored, if the payer has another request by now
   * @throws outside a unit of work
   */
  abstract put(
    link: PaymentLinkId,
    payerSecret: string,
    request: PaymentRequestId,
    instead: PaymentRequestId | null,
  ): Promise<boolean>;

  /**
   * Counts the caller's unpaid sessions of a link that have an asset, and sessions of the last ten minutes that were ended early.
   * For an IPv6 caller, also counts its /56 and /48, with 4 and 16 times the maximum.
   * @returns the time at which the first of these sessions ends if there are `max`, otherwise null
   */
  abstract fullUntil(link: OpenedAt, caller: string, max: number): Promise<Date | null>;

  /**
   * Returns the caller's oldest untouched sessions of a link beyond `max`. Address ranges are those of `fullUntil`. @param limit
   * maximum number returned
   */
  abstract untouchedOfCallerBeyond(
    link: OpenedAt,
    caller: string,
    max: number,
    limit: number,
  ): Promise<PaymentRequestId[]>;

  /** Counts the open sessions of a link without a selected asset. @param max counting stops at this number */
  abstract countUntouched(link: OpenedAt, max: number): Promise<number>;

  /**
   * Returns at most `limit` untouched sessions of a link beyond `max`: the oldest sessions of the addresses and /48s with the
   * most sessions. Until the unit of work ends, concurrent calls find none of these sessions.
   * @throws outside a unit of work
   */
  abstract untouchedBeyond(link: OpenedAt, max: number, limit: number): Promise<PaymentRequestId[]>;

  /**
   * Blocks other openings of the link by the same address or /48 until the unit of work ends, so that counts are exact.
   * @throws outside a unit of work
   */
  abstract lockCaller(link: OpenedAt, caller: string): Promise<void>;

  /** Records a session in the unit of work that stores it. @throws outside a unit of work */
  abstract noteOpening(
    link: OpenedAt,
    caller: string,
    request: PaymentRequestId,
    retentionHours: number,
  ): Promise<void>;

  /** Returns sessions past their retention, locked until the unit of work ends. Skips sessions locked by others. */
  abstract lockDue(limit: number): Promise<PaymentRequestId[]>;

  /**
   * Ends the retention of due sessions. Open sessions are due again an hour later. Payers can no longer find sessions that ended
   * without payment. Other sessions are not due again.
   */
  abstract endRetention(due: readonly PaymentRequestId[]): Promise<void>;
}
