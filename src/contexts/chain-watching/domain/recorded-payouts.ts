import type { AccountId, OrganizationId, PaymentRequestId } from '#shared/kernel/ids.js';
import { canonicalAddress } from '#contexts/networks/contract/address-spelling.js';
import type { PayoutsFinal, PayoutsRemoved, PayoutsSeen } from '../contract/payout-events.js';

export interface RecordedPayout {
  readonly transactionHash: string;
  readonly logIndex: number;
  readonly blockNumber: number;
  readonly blockHash: string;
  readonly blockTime: Date;
  readonly from: string;
  readonly address: string;
  readonly uniqueAssetId: string;
  readonly currency: string;
  readonly decimals: number;
  /** Smallest units, as for `toFee`. */
  readonly toSettlement: bigint;
  readonly toFee: bigint;
}

export interface PayoutTerms {
  readonly paymentRequestId: PaymentRequestId;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly settlementAddress: string;
  readonly feeBasisPoints: number;
}

export interface PayoutWithTerms extends RecordedPayout {
  readonly terms: PayoutTerms;
}

/** The payouts from the addresses of one account, by one contract in one transaction of one block. */
export interface PayoutGroup {
  readonly id: string;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  /** At least one payout, ordered by log index. */
  readonly payouts: readonly PayoutWithTerms[];
}

export interface CanonicalPayout extends RecordedPayout {
  readonly groupId: string;
  readonly final: boolean;
}

export interface RemovedPayoutGroup {
  readonly id: string;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly transactionHash: string;
  readonly wereFinal: boolean;
}

export function paidAmount({ toSettlement, toFee }: Pick<RecordedPayout, 'toSettlement' | 'toFee'>): bigint {
  return toSettlement + toFee;
}

type OwnedGroup = Pick<PayoutGroup, 'id' | 'organizationId' | 'accountId'>;

export function buildPayoutsSeenEvent(network: string, group: PayoutGroup, at: Date): PayoutsSeen {
  const { transactionHash, blockNumber, blockHash, from } = group.payouts[0]!;
  const payouts = group.payouts.map(({ terms, toSettlement, toFee, ...payout }) => ({
    paymentRequestId: terms.paymentRequestId,
    address: payout.address,
    uniqueAssetId: payout.uniqueAssetId,
    currency: payout.currency,
    decimals: payout.decimals,
    settlementAddress: canonicalAddress(terms.settlementAddress),
    toSettlement: toSettlement.toString(),
    toFee: toFee.toString(),
    feeBasisPoints: terms.feeBasisPoints,
  }));
  const data = { network, transactionHash, blockNumber, blockHash, from, payouts };
  return { type: 'payouts.seen', ...eventOwnerOf(group), occurredAt: at, data };
}

export function buildPayoutsFinalEvent(network: string, group: OwnedGroup, at: Date): PayoutsFinal {
  return { type: 'payouts.final', ...eventOwnerOf(group), occurredAt: at, data: { network } };
}

export function buildPayoutsRemovedEvent(
  network: string,
  group: RemovedPayoutGroup,
  at: Date,
): PayoutsRemoved {
  const data = { network, wereFinal: group.wereFinal };
  return { type: 'payouts.removed', ...eventOwnerOf(group), occurredAt: at, data };
}

function eventOwnerOf({ id, organizationId, accountId }: OwnedGroup) {
  return { aggregateId: id, organizationId, accountId };
}
