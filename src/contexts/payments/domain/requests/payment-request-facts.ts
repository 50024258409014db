import type {
  AccountId,
  OrganizationId,
  PaymentRequestId,
  PointOfSaleId,
  PaymentLinkId,
} from '#shared/kernel/ids.js';
import type { UnderpaymentTolerance } from '#shared/kernel/underpayment-tolerance.js';
import type { Order } from './order.js';
import type { ReceivedSum } from './outcome/received-sums.js';
import type { Selection } from './selection.js';
import type { HistoryStatus } from './status.js';
import type { RecordedTransfer } from '#contexts/chain-watching/contract/incoming-transfer.js';
import type { CheckoutMethod, Merchant } from '#contexts/point-of-sale/contract/points-of-sale.js';

export interface PaymentRequestFacts {
  readonly id: PaymentRequestId;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly pointOfSaleId: PointOfSaleId;
  readonly referenceId?: string;
  readonly order?: Order;
  /**
   * Underpayment tolerance of the account when the request was created, so that a later change does not affect the
   * outcome. Absent if the account has none.
   */
  readonly underpaymentTolerance?: UnderpaymentTolerance;
  readonly createdAt: Date;
}

export interface HistoryEntry {
  readonly status: HistoryStatus;
  readonly at: Date;
}

export interface UnsavedChanges {
  /** New transfers, and transfers that were counted, deposited, reversed or cross-checked since loading. */
  readonly transfers: readonly RecordedTransfer[];
  readonly selections: readonly Selection[];
  readonly sums: readonly ReceivedSum[];
  /** New history entries. `step` counts from 1. */
  readonly history: readonly (HistoryEntry & { readonly step: number })[];
}

/** Terms of a request that can be paid on a hosted page, or by wallets that request the payment details. */
export interface Checkout {
  /** Session id with at least 128 random bits. Anyone with the id can read and pay the checkout. */
  readonly sessionId: string;
  /** Price as a decimal string in whole units of `coinCode`. */
  readonly amount: string;
  /** ISO 4217 currency or asset symbol. */
  readonly coinCode: string;
  /** Unique asset ids of the payment options, at least one. */
  readonly paymentOptions: readonly string[];
  /** Merchant displayed to the payer. Later changes of the point of sale do not affect it. */
  readonly merchant: Merchant;
  readonly returnUrl?: string;
  /** Origins that may embed the hosted page in a frame. */
  readonly frameOrigins: readonly string[];
  readonly checkoutFirst: CheckoutMethod;
  readonly paymentLinkId?: PaymentLinkId;
  /** True if the payer entered the amount at a point of sale that allows this. */
  readonly amountByPayer?: boolean;
}
