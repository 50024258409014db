import type { AccountScope } from './account-scope-rule.js';

/** Business of an account that stands in the way of deleting it. */
export interface OpenBusiness {
  /** Payment requests without an outcome. */
  readonly openPaymentRequests: number;
  readonly activePaymentLinks: number;
  readonly activeWebhooks: number;
  /** Offered, or accepted and not ended. */
  readonly openSubscriptions: number;
  /** Waiting, or about to be paid. */
  readonly openRefunds: number;
  /** Withdrawals from refund floats in the account's books, about to be paid. */
  readonly openFloatWithdrawals: number;
  /** Unique asset ids of which something was received that has not been delivered, booked already or not. */
  readonly unsettledAssets: readonly string[];
}

/** Business that other contexts have with an account. Identity may not know them, so the process wires it. */
export abstract class AccountBusiness {
  /**
   * Reads what was committed before it is called. Runs in the deleting unit of work, whose lock keeps everything new out:
   * asked before, its answer could be outdated by a creation. @throws outside a unit of work
   */
  abstract openIn(account: AccountScope): Promise<OpenBusiness>;

  /** Answers for a page that is shown before a deletion is asked for: the answer may be outdated a moment later. */
  abstract lookIn(account: AccountScope): Promise<OpenBusiness>;
}
