import type { PaymentRequestStatus } from '../../contract/payment-request-events.js';
import type { Order } from './order.js';

/** What was asked for when it was created, whatever it is to be paid in. */
export interface PaymentRequestFactsView {
  readonly id: string;
  readonly organizationId: string;
  readonly accountId: string;
  readonly pointOfSaleId: string;
  readonly type: 'fixed';
  readonly status: PaymentRequestStatus;
  readonly referenceId?: string;
  readonly order?: Order;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** What is to be paid, and where. Amounts in smallest units of the asset with `decimals`. */
export interface AskedView {
  readonly network: string;
  readonly uniqueAssetId: string;
  readonly currency: string;
  readonly decimals: number;
  readonly amount: bigint;
  /** EIP-55 spelling. */
  readonly address: string;
}
