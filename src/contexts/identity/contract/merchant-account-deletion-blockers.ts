import type { AccountScope } from './account-scope-rule.js';

export interface DeletionBlockerCounts {
  readonly openPaymentRequests: number;
  readonly activePaymentLinks: number;
  readonly activeWebhooks: number;
  readonly openSubscriptions: number;
  readonly openRefunds: number;
  readonly openFloatWithdrawals: number;
  /** Received funds that are not settled yet, whether booked or not. */
  readonly unsettledAssets: readonly string[];
}

export abstract class MerchantAccountDeletionBlockers {
  /**
   * Must run in the unit of work that deletes the account, after it has locked the account. @throws outside a unit of
   * work
   */
  abstract readOpenItems(account: AccountScope): Promise<DeletionBlockerCounts>;

  /** Without a lock, for the page before a deletion. */
  abstract previewOpenItems(account: AccountScope): Promise<DeletionBlockerCounts>;
}
