import type { Asset } from '#shared/kernel/asset.js';
import type { AccountId, OrganizationId, PaymentRequestId, PointOfSaleId } from '#shared/kernel/ids.js';
import type { Scope } from '#shared/kernel/scope.js';
import type { PaymentRequestStatus } from './payment-request-events.js';

/** The parts of a payment request that can be refunded. Amounts are smallest units of the asset. */
export interface RefundableRequest {
  readonly id: PaymentRequestId;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly pointOfSaleId: PointOfSaleId;
  readonly status: PaymentRequestStatus;
  readonly referenceId?: string;
  readonly merchantName: string;
  /** The asset of the payment first, then those of deposits in other assets. */
  readonly received: readonly {
    readonly asset: Pick<Asset, 'uniqueAssetId' | 'network' | 'token' | 'symbol' | 'decimals'>;
    /** The amount asked for in this asset; 0 where it was not. */
    readonly asked: bigint;
    /** Final and booked as the payment. */
    readonly paid: bigint;
    /** Final and booked as deposits of the request. */
    readonly deposited: bigint;
  }[];
}

export interface PayingTransaction {
  readonly network: string;
  readonly transactionHash: string;
  /** The addresses that it pays, as far as they are known. */
  readonly to: readonly string[];
}

export abstract class RefundableRequests {
  /** @throws not_found, also for another tenant's */
  abstract find(scope: Scope, id: PaymentRequestId): Promise<RefundableRequest>;
  /** @returns true for a transaction that brought the request anything, and for one that pays one of its deposit addresses */
  abstract isPaidBy(id: PaymentRequestId, transaction: PayingTransaction): Promise<boolean>;
}
