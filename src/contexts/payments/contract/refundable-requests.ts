import type { Asset } from '#shared/kernel/asset.js';
import type { AccountId, OrganizationId, PaymentRequestId, PointOfSaleId } from '#shared/kernel/ids.js';
import type { Scope } from '#shared/kernel/scope.js';
import type { PaymentRequestStatus } from './payment-request-events.js';

/** Refundable parts of a payment request. Amounts are smallest units of the asset. */
export interface RefundableRequest {
  readonly id: PaymentRequestId;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly pointOfSaleId: PointOfSaleId;
  readonly status: PaymentRequestStatus;
  readonly referenceId?: string;
  readonly merchantName: string;
  /** Asset of the payment first, then assets of other deposits. */
  readonly received: readonly {
    readonly asset: Pick<Asset, 'uniqueAssetId' | 'network' | 'token' | 'symbol' | 'decimals'>;
    /** Amount requested in this asset; 0 if it was not requested. */
    readonly asked: bigint;
    /** Final and posted as the payment. */
    readonly paid: bigint;
    /** Final and posted as deposits of the request. */
    readonly deposited: bigint;
  }[];
}

export interface PayingTransaction {
  readonly network: string;
  readonly transactionHash: string;
  /** Known recipients. */
  readonly to: readonly string[];
}

export abstract class RefundableRequests {
  /** @throws not_found, also for another tenant's request */
  abstract find(scope: Scope, id: PaymentRequestId): Promise<RefundableRequest>;
  /** Returns true if the transaction brought funds to the request, or pays one of its deposit addresses. */
  abstract isPaidBy(id: PaymentRequestId, transaction: PayingTransaction): Promise<boolean>;
}
