import type { LedgerTransactionId } from '#shared/kernel/ids.js';
import { Posting, type LedgerEntry } from '../balanced-posting.js';
import { isValidReceivedTotal } from '../on-chain-movement.js';
import type { TransactionPartyType, Transaction } from '../transaction.js';
import type { SourceEvent } from './facts.js';

const ENDPOINTS_BY_KIND: Record<
  SourceEvent['kind'],
  { type: Transaction['type']; from: TransactionPartyType; to: TransactionPartyType }
> = {
  settlement: { type: 'withdraw', from: 'vault', to: 'settlement_address' },
  refund: { type: 'refund', from: 'wallet', to: 'wallet' },
  float_withdrawal: { type: 'withdraw', from: 'wallet', to: 'settlement_address' },
  top_up: { type: 'deposit', from: 'wallet', to: 'wallet' },
};

function endpointsOf(event: SourceEvent): (typeof ENDPOINTS_BY_KIND)[SourceEvent['kind']] {
  const isByMerchant = event.kind === 'refund' && event.paidBy === 'merchant';
  return isByMerchant
    ? { ...ENDPOINTS_BY_KIND.refund, from: 'settlement_address' }
    : ENDPOINTS_BY_KIND[event.kind];
}

export function toInitialTransaction(
  id: LedgerTransactionId,
  event: SourceEvent,
  entries: readonly LedgerEntry[],
): Transaction {
  const { type, from, to } = endpointsOf(event);
  const gross = event.kind === 'settlement' ? event.amount + event.feeAmount : event.amount;
  if (!isValidReceivedTotal(gross) || event.amount < 0n) throw new Error(`${gross} cannot be a ${type}.`);
  const { organizationId, accountId, sourceId, network, uniqueAssetId, currency, decimals } = event;
  const ofRefund =
    event.kind === 'refund'
      ? { paymentRequestId: event.paymentRequestId, referenceId: event.referenceId }
      : {};
  return {
    id,
    organizationId,
    accountId,
    type,
    status: type === 'deposit' ? 'completed' : 'processing',
    grossAmount: gross,
    netAmount: event.amount,
    expectedAmount: gross,
    decimals,
    currency,
    network,
    uniqueAssetId,
    sourceId,
    ...ofRefund,
    from: { address: event.from, type: from },
    to: { address: event.to, type: to },
    financialProvider: 'onchain',
    transactionHash: event.transactionHash,
    occurredAt: event.occurredAt,
    posting: entries.length === 0 ? undefined : Posting.createBalanced(entries),
  };
}
