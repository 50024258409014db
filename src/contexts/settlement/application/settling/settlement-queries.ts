import type { Page, PageRequest } from '#shared/kernel/page.js';
import type { Scope } from '#shared/kernel/scope.js';
import type { SettlementStatus } from '../../contract/settlement-events.js';

/** What a settlement delivered of one payment request's money, in smallest units. */
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
  /** Of all payments. */
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
   * @param transactionHash of those alone that this transaction delivered
   */
  abstract page(scope: Scope, request: PageRequest, transactionHash?: string): Promise<Page<SettlementView>>;
}
