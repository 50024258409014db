import type { PaymentRequestStatus } from '../contract/payment-request-events.js';
import type { HistoryStatus } from '../domain/status.js';
import type { Order } from './order.js';

/** What a payment token is made of. Amounts in smallest units of the asset with `decimals`. */
export interface PaymentRequestToSign {
  readonly id: string;
  readonly organizationId: string;
  readonly accountId: string;
  readonly pointOfSaleId: string;
  readonly type: 'fixed';
  readonly status: PaymentRequestStatus;
  readonly network: string;
  readonly uniqueAssetId: string;
  readonly currency: string;
  readonly decimals: number;
  readonly amount: bigint;
  /** EIP-55 spelling. */
  readonly address: string;
  readonly referenceId?: string;
  readonly order?: Order;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** A payment request as its merchant reads it. */
export interface PaymentRequestView extends PaymentRequestToSign {
  /** The payment token as the payer was shown it. */
  readonly token: string;
}

/** How far its payment has come. */
export interface PaymentRequestProgressView extends PaymentRequestView {
  /** Counted transfers, final or not. */
  readonly receivedAmount: bigint;
  readonly confirmedAt?: Date;
  /** In chain order; at most a hundred, those that count before others, the earliest first. */
  readonly transfers: readonly TransferView[];
  readonly history: readonly { readonly status: HistoryStatus; readonly at: Date }[];
}

/** A transfer to the request's address that stands in the chain as it was last read. */
export interface TransferView {
  readonly transactionHash: string;
  readonly amount: bigint;
  /** Fraction digits of the transfer's own asset, which need not be the one asked for. */
  readonly decimals: number;
  readonly from: string;
  /** 1 for a transfer in the newest block read; at most `requiredConfirmations`. */
  readonly confirmations: number;
  /** As its network asked for when it was read. */
  readonly requiredConfirmations: number;
  readonly final: boolean;
  readonly counted: boolean;
  readonly detectedAt: Date;
}
