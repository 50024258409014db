import { Injectable } from '@nestjs/common';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import type { Scope } from '#shared/kernel/scope.js';
import { AccountDirectory } from '#contexts/identity/contract/account-directory.js';
import { accountInPath } from '#contexts/identity/contract/account-scope-rule.js';
import type { SettlementStatus } from '../../contract/settlement-events.js';

/** One payment request's part of a settlement, in smallest units. */
export interface SettledPayment {
  readonly paymentRequestId: string;
  readonly amount: bigint;
  readonly feeAmount: bigint;
}

/** A settlement as readers see it. Amounts in smallest units of an asset with `decimals` fraction digits. */
export interface SettlementView {
  readonly id: string;
  readonly accountId: string;
  readonly network: string;
  readonly uniqueAssetId: string;
  readonly currency: string;
  readonly decimals: number;
  /** To the settlement address, and to the fee recipient. */
  readonly amount: bigint;
  readonly feeAmount: bigint;
  /** In lower case, as all addresses and hashes here. */
  readonly settlementAddress: string;
  readonly status: SettlementStatus;
  readonly transactionHash: string;
  /** The number of all payments. */
  readonly paymentCount: number;
  /** The first `SHOWN_PAYMENTS` of them, in the order of the transaction. */
  readonly payments: readonly SettledPayment[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A settlement can have a thousand payments, and a page a hundred settlements. */
export const SHOWN_PAYMENTS = 100;

export abstract class SettlementQueries {
  /**
   * A scope's settlements, newest first, with their exact number. A page past the end is empty.
   * @param transactionHash limits them to those that this transaction delivered
   */
  abstract page(scope: Scope, request: PageRequest, transactionHash?: string): Promise<Page<SettlementView>>;
}

export interface ListSettlementsInput {
  readonly scope: Scope;
  /** The caller's own spelling; absent: all accounts that the caller may see. */
  readonly account?: string;
  /** Limits the list to what this transaction delivered; in upper or lower case. */
  readonly transactionHash?: string;
  readonly page: PageRequest;
}

/** Lists the deliveries of an account's money, or of all accounts', newest first. */
@Injectable()
export class ListSettlements {
  constructor(
    private readonly settlements: SettlementQueries,
    private readonly accounts: AccountDirectory,
  ) {}

  /** @throws account_not_allowed for any account but the caller's own, or its organization's, existing or not */
  async execute({
    scope,
    account,
    transactionHash,
    page,
  }: ListSettlementsInput): Promise<Page<SettlementView>> {
    return this.settlements.page(await this.narrow(scope, account), page, transactionHash?.toLowerCase());
  }

  private async narrow(scope: Scope, account: string | undefined): Promise<Scope> {
    if (account === undefined) return scope;
    return scope.accountId === null ? this.accounts.narrow(scope, account) : accountInPath(scope, account);
  }
}
