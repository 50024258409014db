import { countsAsPayment } from './leading-selection-rule.js';
import {
  type IncomingTransfer,
  receivedTime,
  type ChainProgress,
  type Transfer,
} from '#contexts/chain-watching/contract/incoming-transfer.js';
import { type Selection, matchesSelection } from '../selection.js';

/** Returns the last block timestamp with which a transfer counts: the deadline plus the grace period of the network. */
export function lastCountingTime(
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
  return receivedTime(transfer) <= lastCountingTime(selection, expiresAt);
}

/**
 * Returns true if the blocks of all networks of these selections were read past the deadline. Networks that are no
 * longer read are ignored.
 * @param far block whose timestamp is compared: the newest block read, or the newest final block
 */
export function areNetworksReadPast(
  selections: readonly Selection[],
  chains: ReadonlyMap<string, ChainProgress>,
  expiresAt: Date,
  far: 'head' | 'final',
): boolean {
  return selections.every((selection) => {
    const chain = chains.get(selection.network);
    if (chain === undefined) return true;
    const readTo = far === 'head' ? chain.headTime : chain.final?.time;
    return readTo !== undefined && readTo > lastCountingTime(selection, expiresAt);
  });
}

/**
 * Returns true if a transfer pays one of these selections: to its address, in its asset, and in time. Coinbase
 * outputs below the minimum never count, because such an output would delay the finality of later payments until it
 * becomes spendable.
 */
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
