import { isPayment } from './leading-selection-rule.js';
import {
  type IncomingTransfer,
  arrivalTime,
  type ChainProgress,
  type Transfer,
} from '#contexts/chain-watching/contract/incoming-transfer.js';
import { type Selection, matchesSelection } from '../selection.js';

/** The last block timestamp that counts: the deadline and the network's grace. */
export function lastCounting(
  { inclusionGraceSeconds }: Pick<Selection, 'inclusionGraceSeconds'>,
  expiresAt: Date,
): Date {
  return new Date(expiresAt.getTime() + inclusionGraceSeconds * 1000);
}

/** True where the transfer came no later than the last moment that counts for the selection. */
export function isInTime(
  transfer: Pick<Transfer, 'arrivedAt' | 'blockTime'>,
  selection: Selection,
  expiresAt: Date,
): boolean {
  return arrivalTime(transfer) <= lastCounting(selection, expiresAt);
}

/**
 * Every network of these selections was read past the deadline. A network that is no longer read is not waited for.
 * @param far which block decides: the newest that was read, or the newest that is final
 */
export function areReadPast(
  selections: readonly Selection[],
  chains: ReadonlyMap<string, ChainProgress>,
  expiresAt: Date,
  far: 'head' | 'final',
): boolean {
  return selections.every((selection) => {
    const chain = chains.get(selection.network);
    if (chain === undefined) return true;
    const readTo = far === 'head' ? chain.headTime : chain.final?.time;
    return readTo !== undefined && readTo > lastCounting(selection, expiresAt);
  });
}

/**
 * True where a transfer pays one of these selections: to its address, in its asset, in time. A coinbase's output below the
 * minimum never does: a block is final in the order of the chain, so it would hold back a payment of later blocks for as long
 * as nobody can spend it.
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
      (transfer.spendableAfter === undefined || isPayment({ selection, amount: transfer.amount })),
  );
}
