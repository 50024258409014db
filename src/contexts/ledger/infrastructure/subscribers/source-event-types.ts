import { toDisplayAddress } from '#contexts/networks/contract/address-spelling.js';
import type { PublishedEvent } from '#shared/kernel/domain-event.js';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import type {
  PaidGas,
  RefundFloatToppedUp,
  RefundFloatWithdrawalStatusChanged,
  RefundStatusChanged,
} from '#contexts/settlement/contract/refund-events.js';
import type {
  SettledAddress,
  SettlementStatusChanged,
} from '#contexts/settlement/contract/settlement-events.js';
import type { SettledAddressPayout, SourceEvent } from '../../domain/followed/facts.js';

export type PublishedSourceEvent =
  SettlementStatusChanged | RefundStatusChanged | RefundFloatToppedUp | RefundFloatWithdrawalStatusChanged;

export const SOURCE_EVENT_TYPES: readonly PublishedSourceEvent['type'][] = [
  'settlement.status_changed',
  'refund.status_changed',
  'refund_float.topped_up',
  'refund_float.withdrawal_status_changed',
];

/** Null for an unapproved refund, because it is not booked. */
export function toSourceEvent(event: PublishedEvent<PublishedSourceEvent>): SourceEvent | null {
  switch (event.type) {
    case 'settlement.status_changed':
      return {
        ...sourceFactOf(event, event.data.from, event.data.settlementAddress),
        kind: 'settlement',
        status: event.data.status,
        feeAmount: BigInt(event.data.feeAmount),
        payouts: payoutsOf(event.data.addresses),
      };
    case 'refund.status_changed': {
      const { status, from, to, paymentRequestId, referenceId, paidBy, gas } = event.data;
      if (status === 'pending' || to === undefined) return null;
      return {
        ...sourceFactOf(event, from, to),
        kind: 'refund',
        status,
        referenceId,
        paidBy,
        gas: gasAmountOf(gas),
        paymentRequestId: paymentRequestId as PaymentRequestId,
      };
    }
    case 'refund_float.topped_up':
      return { ...sourceFactOf(event, event.data.from, event.data.to), kind: 'top_up', status: 'completed' };
    case 'refund_float.withdrawal_status_changed': {
      const { status, from, to, gas } = event.data;
      return { ...sourceFactOf(event, from, to), kind: 'float_withdrawal', status, gas: gasAmountOf(gas) };
    }
  }
}

function sourceFactOf(
  {
    aggregateId: sourceId,
    organizationId,
    accountId,
    occurredAt,
    data,
  }: PublishedEvent<PublishedSourceEvent>,
  from: string,
  to: string,
) {
  const { network, uniqueAssetId, currency, decimals, amount, transactionHash } = data;
  return {
    sourceId,
    organizationId,
    accountId,
    network,
    uniqueAssetId,
    currency,
    decimals,
    transactionHash,
    occurredAt,
    amount: BigInt(amount),
    from: toDisplayAddress(from),
    to: toDisplayAddress(to),
  };
}

function gasAmountOf(gas: PaidGas | undefined) {
  return gas && { uniqueAssetId: gas.uniqueAssetId, amount: BigInt(gas.amount) };
}

function payoutsOf(addresses: readonly SettledAddress[]): SettledAddressPayout[] {
  const payouts = new Map<string, SettledAddressPayout>();
  for (const { paymentRequestId, address, toSettlement, toFee, feeBasisPoints } of addresses) {
    const place = { paymentRequestId: paymentRequestId as PaymentRequestId, address: address.toLowerCase() };
    const key = `${place.paymentRequestId} ${place.address}`;
    const gross = (payouts.get(key)?.gross ?? 0n) + BigInt(toSettlement) + BigInt(toFee);
    payouts.set(key, { ...place, gross, feeBasisPoints });
  }
  return [...payouts.values()].filter(({ gross }) => gross > 0n);
}
