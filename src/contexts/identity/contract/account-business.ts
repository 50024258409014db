import type { AccountScope } from './account-scope-rule.js';

export interface OpenBusiness {
  /** Payment requests without an outcome. */
  readonly openPaymentRequests: number;
  readonly activePaymentLinks: number;
  readonly activeWebhooks: number;
  /** Offered, or accepted and not ended. */
  readonly openSubscriptions: number;
  /** Pending, or about to be paid. */
  readonly openRefunds: number;
  /** Withdrawals from refund floats in the account's ledger that are about to be paid. */
  readonly openFloatWithdrawals: number;
  /** Unique ids of assets with received funds that are not settled yet, booked or not. */
  readonly unsettledAssets: readonly string[];
}

/** Identity must not depend on other contexts, so the composition root wires the implementation. */
export abstract class AccountBusiness {
  /**
   * Sees everything committed before the call. Must run in the deleting unit of work, after the account is locked against new objects.
   * Earlier, a concurrent creation could invalidate the result. @throws outside a unit of work
   */
  abstract openIn(account: AccountScope): Promise<OpenBusiness>;

  /** Reads the same data as `openIn`, for the page before a deletion. The result may be outdated. */
  abstract queryBusiness(account: AccountScope): Promise<OpenBusiness>;
}
