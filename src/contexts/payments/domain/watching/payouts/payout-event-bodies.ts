import { canonicalAddress } from '#contexts/networks/contract/address-spelling.js';
import type { PayoutsFinal, PayoutsRemoved, PayoutsSeen } from '#contexts/payments/contract/payout-events.js';
import type { PayoutGroup, RemovedGroup } from './recorded-payouts.js';

type Owned = Pick<PayoutGroup, 'id' | 'organizationId' | 'accountId'>;

export function payoutsSeen(network: string, group: PayoutGroup, at: Date): PayoutsSeen {
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
  return { type: 'payouts.seen', ...ownerOf(group), occurredAt: at, data };
}

export function payoutsFinal(network: string, group: Owned, at: Date): PayoutsFinal {
  return { type: 'payouts.final', ...ownerOf(group), occurredAt: at, data: { network } };
}

export function payoutsRemoved(network: string, group: RemovedGroup, at: Date): PayoutsRemoved {
  const data = { network, wereFinal: group.wereFinal };
  return { type: 'payouts.removed', ...ownerOf(group), occurredAt: at, data };
}

function ownerOf({ id, organizationId, accountId }: Owned) {
  return { aggregateId: id, organizationId, accountId };
}
