import type { Asset } from '#shared/kernel/asset.js';
import type { AccountId, OrganizationId, PaymentRequestId, PointOfSaleId } from '#shared/kernel/ids.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import type { PaymentRequestStatus } from './payment-request-events.js';

/** Amounts are in smallest units of their assets. */
export interface RefundableRequest {
  readonly id: PaymentRequestId;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly pointOfSaleId: PointOfSaleId;
  readonly status: PaymentRequestStatus;
  readonly referenceId?: string;
  readonly merchantName: string;
  /** The asset of the payment comes first, then the assets of deposits. */
  readonly received: readonly {
    readonly asset: Pick<Asset, 'uniqueAssetId' | 'network' | 'token' | 'symbol' | 'decimals'>;
    /** 0 if this asset was not requested. */
    readonly asked: bigint;
    readonly paid: bigint;
    readonly deposited: bigint;
    /** Sender of all final transfers in this asset. Absent if there are several senders, or the chain names none. */
    readonly sender?: string;
  }[];
}

export interface PayingTransaction {
  readonly network: string;
  readonly transactionHash: string;
  readonly to: readonly string[];
}

export abstract class RefundableRequests {
  /** @throws not_found, also for a request of another tenant */
  abstract find(scope: TenantScope, id: PaymentRequestId): Promise<RefundableRequest>;
  /** Returns true also if the transaction pays a deposit address of the request. */
  abstract isPaidBy(id: PaymentRequestId, transaction: PayingTransaction): Promise<boolean>;
}
