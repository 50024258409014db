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
import type { CheckoutWay, Merchant } from '#contexts/point-of-sale/contract/points-of-sale.js';

export interface PaymentRequestFacts {
  readonly id: PaymentRequestId;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly pointOfSaleId: PointOfSaleId;
  readonly referenceId?: string;
  readonly order?: Order;
  /** The account's at creation: what blocks decide later does not depend on when they are read. Absent: none. */
  readonly underpaymentTolerance?: UnderpaymentTolerance;
  readonly createdAt: Date;
}

export interface HistoryEntry {
  readonly status: HistoryStatus;
  readonly at: Date;
}

/** The changes that a repository has yet to store. */
export interface Unsaved {
  /** New ones, and those that were counted, deposited, reversed or cross-checked since. */
  readonly transfers: readonly RecordedTransfer[];
  readonly selections: readonly Selection[];
  readonly sums: readonly ReceivedSum[];
  /** `step` counts from 1. */
  readonly history: readonly (HistoryEntry & { readonly step: number })[];
}

/** A payment request with a checkout is payable by a hosted page, and by wallets that ask for the payment. */
export interface Checkout {
  /** At least 128 random bits: knowing it is the permission to read and pay. */
  readonly sessionId: string;
  /** The price: a decimal string in whole units of `coinCode`. */
  readonly amount: string;
  /** ISO 4217 currency or asset symbol. */
  readonly coinCode: string;
  /** Unique asset ids that the payer may choose from; at least one. */
  readonly paymentOptions: readonly string[];
  /** The merchant that the payer sees; later changes of the point of sale do not change it. */
  readonly merchant: Merchant;
  readonly returnUrl?: string;
  /** Sites that may show the hosted page in a frame. */
  readonly frameOrigins: readonly string[];
  /** The hosted page shows it first. */
  readonly checkoutFirst: CheckoutWay;
  readonly paymentLinkId?: PaymentLinkId;
  /** A payer has typed the amount at an open-amount point of sale. */
  readonly amountByPayer?: boolean;
}
