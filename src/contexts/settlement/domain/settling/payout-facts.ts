import type { AccountId, OrganizationId } from '#shared/kernel/ids.js';
import type { EmptiedAddress, SettlementDetails, WaitingBalanceChange } from './settlement.js';

export interface PayoutFact extends EmptiedAddress {
  readonly uniqueAssetId: string;
  readonly currency: string;
  readonly decimals: number;
  readonly settlementAddress: string;
}

export interface AccountPayouts {
  readonly id: string;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly network: string;
  readonly transactionHash: string;
  readonly from: string;
  readonly payouts: readonly PayoutFact[];
}

export type FundsFact =
  | { readonly kind: 'booked'; readonly change: WaitingBalanceChange }
  | { readonly kind: 'paid_out'; readonly payouts: AccountPayouts }
  | { readonly kind: 'final'; readonly payoutsId: string }
  | { readonly kind: 'removed'; readonly payoutsId: string };

/** One settlement for each asset and settlement address. */
export function settlementsOf(
  { id: payoutsId, payouts, ...group }: AccountPayouts,
  newId: () => string,
): SettlementDetails[] {
  const parts = new Map<string, PayoutFact[]>();
  for (const payout of payouts) {
    const key = `${payout.uniqueAssetId} ${payout.settlementAddress}`;
    const part = parts.get(key);
    if (part === undefined) parts.set(key, [payout]);
    else part.push(payout);
  }
  return [...parts.values()].map((part) => {
    const { uniqueAssetId, currency, decimals, settlementAddress } = part[0]!;
    const addresses = part.map(({ paymentRequestId, address, toSettlement, toFee, feeBasisPoints }) => {
      return { paymentRequestId, address, toSettlement, toFee, feeBasisPoints };
    });
    return {
      id: newId(),
      payoutsId,
      ...group,
      uniqueAssetId,
      currency,
      decimals,
      settlementAddress,
      addresses,
    };
  });
}

export function waitingChangesOf({ addresses, ...facts }: SettlementDetails): WaitingBalanceChange[] {
  const { network, uniqueAssetId, organizationId, accountId, currency, decimals } = facts;
  return addresses.map(({ address, paymentRequestId, toSettlement, toFee }) => ({
    network,
    address,
    uniqueAssetId,
    paymentRequestId,
    organizationId,
    accountId,
    currency,
    decimals,
    change: -(toSettlement + toFee),
  }));
}

/** Ordered by address and asset, without sums of zero. */
export function sumWaitingChanges(changes: readonly WaitingBalanceChange[]): WaitingBalanceChange[] {
  const sums = new Map<string, WaitingBalanceChange>();
  for (const change of changes) {
    const key = `${change.network} ${change.address} ${change.uniqueAssetId}`;
    const before = sums.get(key);
    sums.set(key, before === undefined ? change : { ...before, change: before.change + change.change });
  }
  return [...sums]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([, sum]) => (sum.change === 0n ? [] : [sum]));
}
