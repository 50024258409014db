import type { SettlementTermsId } from '../../../../shared/kernel/ids.js';
import type { ChainProgress } from './outcome-rule.js';
import type { Rate } from '../../../rates/contract/rate.js';
import type { Transfer } from './transfer.js';

/** What the deposit address commits to (solidity/README.md, "Address"). Addresses in EIP-55 spelling. */
export interface DepositAddress {
  readonly address: string;
  readonly factory: string;
  readonly implementation: string;
  readonly settlementTermsId: SettlementTermsId;
  readonly settlementAddress: string;
  readonly feeRecipient: string;
  readonly feeBasisPoints: number;
  /** EIP-155 */
  readonly homeChainId: number;
}

/** An asset in which a request can be paid: how much of it, and to which address. */
export interface Selection {
  readonly network: string;
  readonly uniqueAssetId: string;
  readonly currency: string;
  readonly decimals: number;
  /** Smallest units. */
  readonly amount: bigint;
  readonly depositAddress: DepositAddress;
  /** The network's, added to the deadline for a block's timestamp. */
  readonly inclusionGraceSeconds: number;
  /** Locked at the first choice; absent where the request was priced in this very asset. */
  readonly rate?: Rate;
  readonly selectedAt: Date;
}

/** Both choose the same asset of the same network. */
export function isSame(a: Pick<Selection, 'uniqueAssetId'>, b: Pick<Selection, 'uniqueAssetId'>): boolean {
  return a.uniqueAssetId === b.uniqueAssetId;
}

/** The last block timestamp that counts for it. */
export function lastCounting({ inclusionGraceSeconds }: Selection, expiresAt: Date): Date {
  return new Date(expiresAt.getTime() + inclusionGraceSeconds * 1000);
}

/** As much of a selection as tells whether a transfer is to it. */
export interface Wanted extends Pick<Selection, 'network' | 'uniqueAssetId'> {
  readonly depositAddress: Pick<DepositAddress, 'address'>;
}

/** A transfer went to the address that was shown with it. */
function isAddressed(
  { network, depositAddress }: Wanted,
  transfer: Pick<Transfer, 'network' | 'to'>,
): boolean {
  return network === transfer.network && depositAddress.address.toLowerCase() === transfer.to.toLowerCase();
}

/** A transfer is what was asked for, except perhaps that it is too late. */
export function isAskedFor(
  wanted: Wanted,
  transfer: Pick<Transfer, 'network' | 'uniqueAssetId' | 'to'>,
): boolean {
  return isSame(wanted, transfer) && isAddressed(wanted, transfer);
}

/** What the deposit address that a transfer was sent to commits to. */
export function depositAddressOf(selections: readonly Selection[], transfer: Transfer): DepositAddress {
  const shown = selections.find((selection) => isAddressed(selection, transfer));
  if (shown === undefined) throw new Error(`No selection shows ${transfer.to} on ${transfer.network}.`);
  return shown.depositAddress;
}

/** Whose address and asset a transfer is to and in; undefined also for one that is too late. */
export function askedWith(
  selections: readonly Selection[],
  transfer: Transfer,
  expiresAt: Date,
): Selection | undefined {
  return selections.find(
    (asked) => isAskedFor(asked, transfer) && transfer.blockTime <= lastCounting(asked, expiresAt),
  );
}

/** The selection that was paid first of all, and the transfers to it; undefined where none of them was in time. */
export function firstPaid<T extends Transfer>(
  transfers: readonly T[],
  selections: readonly Selection[],
  expiresAt: Date,
): { selection: Selection; by: T[] } | undefined {
  const paid = transfers
    .flatMap((transfer) => {
      const selection = askedWith(selections, transfer, expiresAt);
      return selection === undefined ? [] : [{ selection, transfer }];
    })
    .sort((a, b) => a.transfer.blockTime.getTime() - b.transfer.blockTime.getTime());
  const [first] = paid;
  if (first === undefined) return undefined;
  const { selection } = first;
  return { selection, by: paid.flatMap((each) => (each.selection === selection ? each.transfer : [])) };
}

/**
 * Every network of these is read past the deadline. One that is no longer read is not waited for.
 * @param far whether its newest read block tells, or only the newest that can no longer disappear
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
