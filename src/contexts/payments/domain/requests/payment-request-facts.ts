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
  /** Tolerance of the account at creation, so that the outcome does not depend on when blocks are read. Absent if the account has none. */
  readonly underpaymentTolerance?: UnderpaymentTolerance;
  readonly createdAt: Date;
}

export interface HistoryEntry {
  readonly status: HistoryStatus;
  readonly at: Date;
}

export interface Unsaved {
  /** New transfers, and those counted, deposited, reversed or cross-checked since loading. */
  readonly transfers: readonly RecordedTransfer[];
  readonly selections: readonly Selection[];
  readonly sums: readonly ReceivedSum[];
  /** `step` counts from 1. */
  readonly history: readonly (HistoryEntry & { readonly step: number })[];
}

/** Terms of a request that is payable on a hosted page, and by wallets that request the payment details. */
export interface Checkout {
  /** At least 128 random bits. Anyone with the id can read and pay the checkout. */
  readonly sessionId: string;
  /** Price as a decimal string in whole units of `coinCode`. */
  readonly amount: string;
  /** ISO 4217 currency or asset symbol. */
  readonly coinCode: string;
  /** Unique asset ids; at least one. */
  readonly paymentOptions: readonly string[];
  /** Merchant displayed to the payer. Unaffected by later changes of the point of sale. */
  readonly merchant: Merchant;
  readonly returnUrl?: string;
  /** Origins that may embed the hosted page in a frame. */
  readonly frameOrigins: readonly string[];
  readonly checkoutFirst: CheckoutMethod;
  readonly paymentLinkId?: PaymentLinkId;
  /** The payer typed the amount at an open-amount point of sale. */
  readonly amountByPayer?: boolean;
}
