import type { AccountId, PaymentRequestId, TransactionId } from '#shared/kernel/ids.js';
import { netAfterFee } from '../on-chain-movement.js';
import type { FollowedPayout } from './facts.js';

/** The funds that one transaction booked at a deposit address. */
export interface BookedFunds {
  readonly transactionId: TransactionId;
  readonly paymentRequestId: PaymentRequestId;
  /** Deposit address in lower case. */
  readonly address: string;
  readonly gross: bigint;
  readonly net: bigint;
  /** Sequence number of the transaction within its account. */
  readonly number: bigint;
}

interface DepositPlace {
  readonly accountId: AccountId;
  readonly paymentRequestId: PaymentRequestId;
  readonly uniqueAssetId: string;
  readonly address: string;
}

const placeKeyOf = ({ accountId, paymentRequestId, uniqueAssetId, address }: DepositPlace) =>
  `${accountId} ${paymentRequestId} ${uniqueAssetId} ${address}`;

/** Booked funds at deposit addresses that no settlement has delivered yet. */
export class UnsettledFunds {
  private readonly byPlace = new Map<string, BookedFunds[]>();

  /** Adds booked funds, ordered by transaction number. */
  add(place: Pick<DepositPlace, 'accountId' | 'uniqueAssetId'>, money: BookedFunds): void {
    const key = placeKeyOf({ ...money, ...place });
    const there = this.byPlace.get(key) ?? [];
    const after = there.findIndex(({ number }) => number > money.number);
    there.splice(after === -1 ? there.length : after, 0, money);
    this.byPlace.set(key, there);
  }

  /**
   * Removes and returns the funds that a payout delivered, oldest first: the longest prefix that sums to the payout's
   * gross. If no prefix does, the longest prefix that sums to less, because the payout also took funds that are not
   * booked yet.
   */
  take(place: Pick<DepositPlace, 'accountId' | 'uniqueAssetId'>, payout: FollowedPayout): BookedFunds[] {
    const there = this.byPlace.get(placeKeyOf({ ...payout, ...place })) ?? [];
    let [sum, whole, part] = [0n, 0, 0];
    for (const [at, { gross }] of there.entries()) {
      sum += gross;
      if (sum === payout.gross) whole = at + 1;
      if (sum >= 0n && sum <= payout.gross) part = at + 1;
    }
    return there.splice(0, whole === 0 ? part : whole);
  }
}

/** Returns the part of a payout that is not linked to a transaction yet. */
export function uncoveredAmount({ gross }: FollowedPayout, delivered: readonly BookedFunds[]): bigint {
  return delivered.reduce((left, money) => left - money.gross, gross);
}

/**
 * Returns the merchant's share of a payout: the net amount of the linked transactions if they cover the payout fully,
 * otherwise its gross minus the fee.
 */
export function merchantShareOf(payout: FollowedPayout, delivered: readonly BookedFunds[]): bigint {
  return uncoveredAmount(payout, delivered) === 0n
    ? delivered.reduce((sum, { net }) => sum + net, 0n)
    : netAfterFee(payout.gross, payout.feeBasisPoints);
}

/** Returns the part of a settlement's delivered funds that belongs to this payout. */
export function deliveredFundsOf(payout: FollowedPayout, delivered: readonly BookedFunds[]): BookedFunds[] {
  return delivered.filter(
    ({ paymentRequestId, address }) =>
      paymentRequestId === payout.paymentRequestId && address === payout.address,
  );
}
