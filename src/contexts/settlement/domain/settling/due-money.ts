import type { AccountId, OrganizationId } from '#shared/kernel/ids.js';
import type { MinimumAmounts } from './worth-settling.js';

export interface DueTerms {
  readonly uniqueAssetId: string;
  readonly minimum: MinimumAmounts;
}

export interface DueAddress {
  readonly address: string;
  readonly uniqueAssetId: string;
  /** Smallest units, above zero. */
  readonly amount: bigint;
  readonly waitingSince: Date;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly paymentRequestId: string;
  /** JSON that only the network's chain type interprets. */
  readonly derivation: Readonly<Record<string, unknown>>;
  readonly settlementAddress: string;
  readonly feeRecipient: string;
  readonly feeBasisPoints: number;
  /**
   * True if its terms failed in execution. The payout is then tried alone, and no other address with these terms is tried at the same
   * time.
   */
  readonly isTrial: boolean;
  /** True if an asset of the address was already delivered and the delivery was not removed. */
  readonly isSettled: boolean;
}

/** `due`: may be chosen now. All other states are excluded from a run. */
export type DueState = 'due' | 'not_worth_its_gas' | 'held' | 'set_aside' | 'in_flight' | 'not_catalogued';

export interface WaitingSum {
  readonly uniqueAssetId: string;
  readonly currency: string;
  readonly decimals: number;
  readonly standing: DueState;
  readonly addresses: number;
  /** Smallest units. */
  readonly amount: bigint;
  readonly oldest: Date;
}
