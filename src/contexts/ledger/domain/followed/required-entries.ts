import type { LedgerEntry } from '../balanced-posting.js';
import type { FloatWithdrawalFact, GasAmount, RefundFact, SettlementFact, SourceEvent } from './facts.js';
import { deliveredFundsOf, merchantShareOf, type BookedFunds } from './unsettled-funds.js';

/** Returns the total for the given state. Each state change books the difference from the previous total. */
export function requiredEntries(event: SourceEvent, delivered: readonly BookedFunds[]): LedgerEntry[] {
  switch (event.kind) {
    case 'settlement':
      return settlementEntries(event, delivered);
    case 'refund':
    case 'float_withdrawal':
      return [...payoutEntries(event), ...gasEntries(event.gas)];
    case 'top_up':
      return entriesOfAsset(event.uniqueAssetId, [
        ['refund_float', event.amount],
        ['merchant_payable', -event.amount],
      ]);
  }
}

/** Rounding is the amount that was neither owed to the merchant nor received by the fee recipient. */
function settlementEntries(event: SettlementFact, delivered: readonly BookedFunds[]): LedgerEntry[] {
  const gross = event.amount + event.feeAmount;
  if (event.status === 'failed') return [];
  if (event.status === 'processing')
    return entriesOfAsset(event.uniqueAssetId, [
      ['in_flight', gross],
      ['custody', -gross],
    ]);
  const owed = event.payouts.reduce(
    (sum, payout) => sum + merchantShareOf(payout, deliveredFundsOf(payout, delivered)),
    0n,
  );
  return entriesOfAsset(event.uniqueAssetId, [
    ['merchant_payable', owed],
    ['fees_delivered', event.feeAmount],
    ['rounding', gross - owed - event.feeAmount],
    ['custody', -gross],
  ]);
}

function payoutEntries(event: RefundFact | FloatWithdrawalFact): LedgerEntry[] {
  if (event.status !== 'completed') return [];
  const isByMerchant = event.kind === 'refund' && event.paidBy === 'merchant';
  return entriesOfAsset(event.uniqueAssetId, [
    ['merchant_payable', event.amount],
    [isByMerchant ? 'delivered' : 'refund_float', -event.amount],
  ]);
}

function gasEntries(gas: GasAmount | undefined): LedgerEntry[] {
  if (gas === undefined) return [];
  return entriesOfAsset(gas.uniqueAssetId, [
    ['gas_spent', gas.amount],
    ['refund_float', -gas.amount],
  ]);
}

function entriesOfAsset(
  uniqueAssetId: string,
  amounts: [LedgerEntry['ledgerAccount'], bigint][],
): LedgerEntry[] {
  return amounts.map(([ledgerAccount, amount]) => ({ ledgerAccount, uniqueAssetId, amount }));
}
