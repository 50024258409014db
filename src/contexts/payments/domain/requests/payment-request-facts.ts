import type { AccountId, OrganizationId, PaymentRequestId, PointOfSaleId } from '#shared/kernel/ids.js';
import type { Order } from './price/order.js';
import type { ReceivedSum } from './outcome/received-sums.js';
import type { Selection } from './selection.js';
import type { HistoryStatus } from './status.js';
import type { RecordedTransfer } from './transfer.js';

export interface PaymentRequestFacts {
  readonly id: PaymentRequestId;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly pointOfSaleId: PointOfSaleId;
  readonly referenceId?: string;
  readonly order?: Order;
  readonly createdAt: Date;
}

export interface HistoryEntry {
  readonly status: HistoryStatus;
  readonly at: Date;
}

/** What a repository has not stored yet. */
export interface Unsaved {
  /** New ones, and those of which it changed what became of them. */
  readonly transfers: readonly RecordedTransfer[];
  readonly selections: readonly Selection[];
  readonly sums: readonly ReceivedSum[];
  /** `step` counts from 1. */
  readonly history: readonly (HistoryEntry & { readonly step: number })[];
}
