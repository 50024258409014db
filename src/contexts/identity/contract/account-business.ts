import type { AccountScope } from './account-scope-rule.js';

export interface OpenBusiness {
  /** Number of payment requests without an outcome. */
  readonly openPaymentRequests: number;
  readonly activePaymentLinks: number;
  readonly activeWebhooks: number;
  /** Number of subscriptions that are offered, or accepted and not ended. */
  readonly openSubscriptions: number;
  /** Number of refunds that are pending or about to be paid. */
  readonly openRefunds: number;
  /** Number of withdrawals from refund floats in the account's ledger that are about to be paid. */
  readonly openFloatWithdrawals: number;
  /** Unique ids of assets whose received funds are not settled yet, whether booked or not. */
  readonly unsettledAssets: readonly string[];
}

/** An account's unfinished business in other contexts. The composition root provides the implementation. */
export abstract class AccountBusiness {
  /**
   * Lists what prevents the account's deletion, including everything committed before the call. Must run in the unit of
   * work that deletes the account, after it has locked the account: otherwise a concurrent creation could invalidate
   * the result.
   * @throws outside a unit of work
   */
  abstract readOpenBusiness(account: AccountScope): Promise<OpenBusiness>;

  /** Reads the same data as `readOpenBusiness` without a lock, for the page before a deletion. The result may be outdated. */
  abstract previewOpenBusiness(account: AccountScope): Promise<OpenBusiness>;
}
