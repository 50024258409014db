import type { PaymentRequestId, PaymentLinkId, PointOfSaleId } from '#shared/kernel/ids.js';
import type { PaymentRequestStatus } from '../../contract/payment-request-events.js';

/** The checkout that one payer has for a payment link. */
export interface PaymentLinkSession {
  readonly requestId: PaymentRequestId;
  readonly sessionId: string;
  readonly status: PaymentRequestStatus;
  readonly expiresAt: Date;
  /** No transfer counts whose block has a later timestamp. */
  readonly countsUntil: Date;
}

/**
 * True where a payer who opens the link again sees this checkout and not a new one. A checkout whose address was shown is
 * reused until no payment to it can count: a payment sent at the last second is not in a block yet, and a new checkout
 * would be paid a second time.
 * @param forceNew does not reuse a checkout that is paid or past its window
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

/** A session is opened by payers: by a payment link, or at an open-amount point of sale. */
export type OpenedAt = PaymentLinkId | PointOfSaleId;

/**
 * The checkouts that payment links have opened, with their payer, their caller and their retention. A payer is known by the
 * secret of a cookie, which is not stored.
 */
export abstract class PaymentLinkSessions {
  abstract find(link: PaymentLinkId, payerSecret: string): Promise<PaymentLinkSession | undefined>;

  /**
   * Makes a request that was stored in the same unit of work the payer's, by compare-and-set: of two at once the
   * second waits for the first to commit and then returns false.
   * @param instead the payer's request as it was read before; null where there was none
   * @returns false, with nothing stored, where the payer has another one meanwhile
   * @throws outside a unit of work
   */
  abstract put(
    link: PaymentLinkId,
    payerSecret: string,
    request: PaymentRequestId,
    instead: PaymentRequestId | null,
  ): Promise<boolean>;

  /**
   * Counts the caller's unpaid sessions of a link that have an asset, and those of the last ten minutes that were ended before their
   * time. The /56 and the /48 of an IPv6 caller are counted too, with 4 and 16 times the maximum.
   * @returns when the first of them ends where there are `max`; null where there is room
   */
  abstract fullUntil(link: OpenedAt, caller: string, max: number): Promise<Date | null>;

  /** The caller's oldest untouched sessions of a link beyond `max`, in ranges as in `fullUntil`. @param limit of those returned */
  abstract untouchedOfCallerBeyond(
    link: OpenedAt,
    caller: string,
    max: number,
    limit: number,
  ): Promise<PaymentRequestId[]>;

  /** Open sessions of a link in which no asset is selected. @param max counting ends at this number */
  abstract countUntouched(link: OpenedAt, max: number): Promise<number>;

  /**
   * Untouched sessions of a link beyond `max`, at most `limit`: the oldest of the addresses and /48s that have the most. Keeps others from
   * choosing the same until the unit of work ends: meanwhile they find none.
   * @throws outside a unit of work
   */
  abstract untouchedBeyond(link: OpenedAt, max: number, limit: number): Promise<PaymentRequestId[]>;

  /**
   * Keeps other openings of the link by the same address or /48 out until the unit of work ends, so that they are counted exactly.
   * @throws outside a unit of work
   */
  abstract lockCaller(link: OpenedAt, caller: string): Promise<void>;

  /** Notes a session in the unit of work that stores it. @throws outside a unit of work */
  abstract noteOpening(
    link: OpenedAt,
    caller: string,
    request: PaymentRequestId,
    retentionHours: number,
  ): Promise<void>;

  /** Sessions past their retention, locked until the unit of work ends; those that another has locked are left out. */
  abstract lockDue(limit: number): Promise<PaymentRequestId[]>;

  /**
   * Ends what is known of due sessions: those still open are looked at an hour later; payers no longer find those that
   * ended without payment; nothing more is due of any other.
   */
  abstract endRetention(due: readonly PaymentRequestId[]): Promise<void>;
}
