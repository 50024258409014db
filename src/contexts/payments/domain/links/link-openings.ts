import type { PaymentLinkId, PaymentRequestId } from '#shared/kernel/ids.js';

/** Unpaid sessions that are open at once. */
export interface OpenSessions {
  /** Counted up to the number asked for. */
  readonly count: number;
  /** When the first of those counted is open no longer; null where there is none. */
  readonly firstEndsAt: Date | null;
}

/** Which sessions payment links have opened, from where, and which are due to be looked at again. */
export abstract class LinkOpenings {
  /** @param caller whom sessions are counted under @param most counting ends at this number */
  abstract openOfCaller(caller: string, most: number): Promise<OpenSessions>;
  abstract openOfLink(link: PaymentLinkId, most: number): Promise<OpenSessions>;

  /**
   * Notes a session in the unit of work that stores it, and keeps others of the same caller out until that ends, so that
   * they are counted exactly. @returns the caller's open sessions before @throws outside a unit of work
   */
  abstract lockAndCount(caller: string, most: number): Promise<OpenSessions>;
  abstract note(
    link: PaymentLinkId,
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
  abstract settle(due: readonly PaymentRequestId[]): Promise<void>;
}
