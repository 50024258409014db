import { countsAsPayment } from './leading-selection-rule.js';
import {
  type IncomingTransfer,
  receivedTime,
  type ChainProgress,
  type Transfer,
} from '#contexts/chain-watching/contract/incoming-transfer.js';
import { type Selection, matchesSelection } from '../selection.js';

/** The deadline plus the grace period of the network. */
export function paymentCutoffTime(
  { inclusionGraceSeconds }: Pick<Selection, 'inclusionGraceSeconds'>,
  expiresAt: Date,
): Date {
  return new Date(expiresAt.getTime() + inclusionGraceSeconds * 1000);
}

export function isInTime(
  transfer: Pick<Transfer, 'arrivedAt' | 'blockTime'>,
  selection: Selection,
  expiresAt: Date,
): boolean {
  return receivedTime(transfer) <= paymentCutoffTime(selection, expiresAt);
}

/** Ignores networks that are no longer read. @param far the newest block read, or the newest final block */
export function areNetworksReadPastDeadline(
  selections: readonly Selection[],
  chains: ReadonlyMap<string, ChainProgress>,
  expiresAt: Date,
  far: 'head' | 'final',
): boolean {
  return selections.every((selection) => {
    const chain = chains.get(selection.network);
    if (chain === undefined) return true;
    const readTo = far === 'head' ? chain.headTime : chain.final?.time;
    return readTo !== undefined && readTo > paymentCutoffTime(selection, expiresAt);
  });
}

/** Coinbase outputs below the minimum never count, because they would delay the finality of later payments. */
export function paysSelection(
  selections: readonly Selection[],
  transfer: Transfer & Pick<IncomingTransfer, 'spendableAfter'>,
  expiresAt: Date,
): boolean {
  return selections.some(
    (selection) =>
      matchesSelection(selection, transfer) &&
      isInTime(transfer, selection, expiresAt) &&
      (transfer.spendableAfter === undefined || countsAsPayment({ selection, amount: transfer.amount })),
  );
}
