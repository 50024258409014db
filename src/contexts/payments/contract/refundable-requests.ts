import type { Asset } from '#shared/kernel/asset.js';
import type { AccountId, OrganizationId, PaymentRequestId, PointOfSaleId } from '#shared/kernel/ids.js';
import type { Scope } from '#shared/kernel/scope.js';
import type { PaymentRequestStatus } from './payment-request-events.js';

/** What of a payment request can be refunded. Amounts in smallest units of the asset. */
export interface RefundableRequest {
  readonly id: PaymentRequestId;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly pointOfSaleId: PointOfSaleId;
  readonly status: PaymentRequestStatus;
  readonly referenceId?: string;
  readonly merchantName: string;
  /** The asset that was received, and of the assets received otherwise those of the deposits. */
  readonly received: readonly {
    readonly asset: Pick<Asset, 'uniqueAssetId' | 'network' | 'token' | 'symbol' | 'decimals'>;
    /** What was asked for in this asset; 0 where it was not. */
    readonly asked: bigint;
    /** Final and booked as the payment. */
    readonly paid: bigint;
    /** Final and booked as deposits of the request. */
    readonly deposited: bigint;
  }[];
}

export abstract class RefundableRequests {
  /** @throws not_found, also for another tenant's */
  abstract find(scope: Scope, id: PaymentRequestId): Promise<RefundableRequest>;
}
