import type { AccountId, OrganizationId } from '#shared/kernel/ids.js';
import type { MinimumAmounts } from './worth-settling.js';

/** The amounts from which on the waiting money of an asset is due. */
export interface DueTerms {
  readonly uniqueAssetId: string;
  readonly minimum: MinimumAmounts;
}

/** One asset of one deposit address that is due. */
export interface DueAddress {
  readonly address: string;
  readonly uniqueAssetId: string;
  /** Smallest units, above zero. */
  readonly amount: bigint;
  readonly waitingSince: Date;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly paymentRequestId: string;
  /** JSON that only the network's chain type reads. */
  readonly derivation: Readonly<Record<string, unknown>>;
  readonly settlementAddress: string;
  readonly feeRecipient: string;
  readonly feeBasisPoints: number;
  /** True where its terms have failed in execution: it is tried alone, and no other address of these terms meanwhile. */
  readonly isTrial: boolean;
  /** Some asset of the address was delivered before, and is not back. */
  readonly isSettled: boolean;
}

/** `due`: may be chosen now. All others are left out of a run. */
export type DueState = 'due' | 'not_worth_its_gas' | 'held' | 'set_aside' | 'in_flight' | 'not_catalogued';

/** The waiting money of an asset, by one reason. */
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

export abstract class DueMoney {
  /**
   * Each organization's and asset's oldest first, then the next of each, so that nobody's many keep out another's few. In
   * one statement. @param afterHours from which age on money counts as old
   */
  abstract inTurns(
    network: string,
    terms: readonly DueTerms[],
    afterHours: number,
    most: number,
  ): Promise<DueAddress[]>;
  /** All that waits, by asset and reason. */
  abstract sums(network: string, terms: readonly DueTerms[], afterHours: number): Promise<WaitingSum[]>;
}
