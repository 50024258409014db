import type {
  AccountId,
  OrganizationId,
  PaymentRequestId,
  PointOfSaleId,
  SettlementTermsId,
} from '../../../shared/kernel/ids.js';
import type { HistoryStatus } from './status.js';
import type { RecordedTransfer } from './transfer.js';

/** What the deposit address commits to (decisions.md section 8). Addresses in EIP-55 spelling. */
export interface Deposit {
  readonly address: string;
  readonly factory: string;
  readonly implementation: string;
  readonly settlementTermsId: SettlementTermsId;
  readonly settlementAddress: string;
  readonly feeRecipient: string;
  readonly feeBasisPoints: number;
  /** EIP-155 */
  readonly homeChainId: number;
}

export interface PaymentRequestFacts {
  readonly id: PaymentRequestId;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly pointOfSaleId: PointOfSaleId;
  readonly network: string;
  readonly uniqueAssetId: string;
  readonly currency: string;
  readonly decimals: number;
  /** Smallest units. */
  readonly amount: bigint;
  readonly referenceId?: string;
  readonly order?: object;
  readonly deposit: Deposit;
  readonly createdAt: Date;
}

export interface HistoryEntry {
  readonly status: HistoryStatus;
  readonly at: Date;
}

/** What a repository has not stored yet. */
export interface Unsaved {
  /** New ones, and those of which it changed whether they count. */
  readonly transfers: readonly RecordedTransfer[];
  /** `step` counts from 1. */
  readonly history: readonly (HistoryEntry & { readonly step: number })[];
}
