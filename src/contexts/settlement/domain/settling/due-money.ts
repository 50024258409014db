import type { AccountId, OrganizationId } from '#shared/kernel/ids.js';
import type { MinimumAmounts } from './worth-settling.js';

export interface SettlementMinimum {
  readonly uniqueAssetId: string;
  readonly minimum: MinimumAmounts;
}

export interface DueAddress {
  readonly address: string;
  readonly uniqueAssetId: string;
  /** In smallest units of the asset, above zero. */
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
  /** True if payouts under these terms failed before. Then only this one is attempted, in a separate batch. */
  readonly isTrial: boolean;
  /** True if an asset of the address was already delivered in a block that was not removed. */
  readonly isSettled: boolean;
}

/** All funds that are not `due` are excluded from a settlement run. */
export type SettlementEligibility =
  'due' | 'not_worth_its_gas' | 'held' | 'set_aside' | 'awaits_finality' | 'in_flight' | 'not_catalogued';

export interface WaitingFundsTotal {
  readonly uniqueAssetId: string;
  readonly currency: string;
  readonly decimals: number;
  readonly standing: SettlementEligibility;
  readonly addresses: number;
  readonly amount: bigint;
  readonly oldest: Date;
}
