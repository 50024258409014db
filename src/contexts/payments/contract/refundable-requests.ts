import type { Asset } from '#shared/kernel/asset.js';
import type { AccountId, OrganizationId, PaymentRequestId, PointOfSaleId } from '#shared/kernel/ids.js';
import type { Scope } from '#shared/kernel/scope.js';
import type { PaymentRequestStatus } from './payment-request-events.js';

/** The received amounts of a payment request that can be refunded, in smallest units of their assets. */
export interface RefundableRequest {
  readonly id: PaymentRequestId;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly pointOfSaleId: PointOfSaleId;
  readonly status: PaymentRequestStatus;
  readonly referenceId?: string;
  readonly merchantName: string;
  /** Amounts by asset: first the asset of the payment, then the assets of deposits. */
  readonly received: readonly {
    readonly asset: Pick<Asset, 'uniqueAssetId' | 'network' | 'token' | 'symbol' | 'decimals'>;
    /** Amount requested in this asset. 0 if this asset was not requested. */
    readonly asked: bigint;
    /** Amount that is final and posted as the payment. */
    readonly paid: bigint;
    /** Amount that is final and posted as deposits of the request. */
    readonly deposited: bigint;
    /** Sender of all final transfers in this asset. Absent if there are several senders, or the chain names none. */
    readonly sender?: string;
  }[];
}

export interface PayingTransaction {
  readonly network: string;
  readonly transactionHash: string;
  /** Recipients of the transaction, as far as known. */
  readonly to: readonly string[];
}

export abstract class RefundableRequests {
  /** @throws not_found, also for a request of another tenant */
  abstract find(scope: Scope, id: PaymentRequestId): Promise<RefundableRequest>;
  /**
   * Returns true if a transfer of the request is in this transaction, or if the transaction pays a deposit address
   * of the request.
   */
  abstract isPaidBy(id: PaymentRequestId, transaction: PayingTransaction): Promise<boolean>;
}
