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
  /** Tolerance of the account when the request was created, so that a later change does not affect the outcome. */
  readonly underpaymentTolerance?: UnderpaymentTolerance;
  readonly createdAt: Date;
}

export interface StatusHistoryEntry {
  readonly status: HistoryStatus;
  readonly at: Date;
}

export interface UnsavedChanges {
  /** New transfers, and transfers that were counted, deposited, reversed or cross-checked since loading. */
  readonly transfers: readonly RecordedTransfer[];
  readonly selections: readonly Selection[];
  readonly sums: readonly ReceivedSum[];
  /** `step` counts from 1. */
  readonly history: readonly (StatusHistoryEntry & { readonly step: number })[];
}

export interface Checkout {
  /** Contains at least 128 random bits. Anyone with the id can read and pay the checkout. */
  readonly sessionId: string;
  readonly amount: string;
  readonly coinCode: string;
  readonly paymentOptions: readonly string[];
  /** Later changes of the point of sale do not affect the displayed merchant. */
  readonly merchant: Merchant;
  readonly returnUrl?: string;
  /** May embed the hosted page in a frame. */
  readonly frameOrigins: readonly string[];
  readonly checkoutFirst: CheckoutMethod;
  readonly paymentLinkId?: PaymentLinkId;
  readonly amountByPayer?: boolean;
}
