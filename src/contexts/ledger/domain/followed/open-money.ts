import type { AccountId, PaymentRequestId, TransactionId } from '#shared/kernel/ids.js';
import { netOf } from '../on-chain-movement.js';
import type { FollowedPayout } from './facts.js';

/** The money that one transaction booked at a deposit address. */
export interface BookedMoney {
  readonly transactionId: TransactionId;
  readonly paymentRequestId: PaymentRequestId;
  /** The deposit address in lower case. */
  readonly address: string;
  readonly gross: bigint;
  readonly net: bigint;
  /** The transaction's number in its account. */
  readonly number: bigint;
}

/** An owner's money at one address. */
interface Place {
  readonly accountId: AccountId;
  readonly paymentRequestId: PaymentRequestId;
  readonly uniqueAssetId: string;
  readonly address: string;
}

const keyOf = ({ accountId, paymentRequestId, uniqueAssetId, address }: Place) =>
  `${accountId} ${paymentRequestId} ${uniqueAssetId} ${address}`;

/** Money that is booked at deposit addresses and that no settlement has delivered. */
export class OpenMoney {
  private readonly byPlace = new Map<string, BookedMoney[]>();

  /** Makes it open, in the order of its number. */
  add(place: Pick<Place, 'accountId' | 'uniqueAssetId'>, money: BookedMoney): void {
    const key = keyOf({ ...money, ...place });
    const there = this.byPlace.get(key) ?? [];
    const after = there.findIndex(({ number }) => number > money.number);
    there.splice(after === -1 ? there.length : after, 0, money);
    this.byPlace.set(key, there);
  }

  /**
   * Takes what a payout delivered, oldest first: the most that sums to its gross; else the most that sums to no more, since
   * the payout then took money that is not booked yet.
   */
  take(place: Pick<Place, 'accountId' | 'uniqueAssetId'>, payout: FollowedPayout): BookedMoney[] {
    const there = this.byPlace.get(keyOf({ ...payout, ...place })) ?? [];
    let [sum, whole, part] = [0n, 0, 0];
    for (const [at, { gross }] of there.entries()) {
      sum += gross;
      if (sum === payout.gross) whole = at + 1;
      if (sum >= 0n && sum <= payout.gross) part = at + 1;
    }
    return there.splice(0, whole === 0 ? part : whole);
  }
}

/** The part of a payout that no transaction stands for yet. */
export function uncoveredOf({ gross }: FollowedPayout, delivered: readonly BookedMoney[]): bigint {
  return delivered.reduce((left, money) => left - money.gross, gross);
}

/** The merchant's part of a payout: the net of the transactions that stand for all of it; else the net of its own gross. */
export function owedOf(payout: FollowedPayout, delivered: readonly BookedMoney[]): bigint {
  return uncoveredOf(payout, delivered) === 0n
    ? delivered.reduce((sum, { net }) => sum + net, 0n)
    : netOf(payout.gross, payout.feeBasisPoints);
}

/** The part of a settlement's delivered money that this payout delivered. */
export function deliveredBy(payout: FollowedPayout, delivered: readonly BookedMoney[]): BookedMoney[] {
  return delivered.filter(
    ({ paymentRequestId, address }) =>
      paymentRequestId === payout.paymentRequestId && address === payout.address,
  );
}
