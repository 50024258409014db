import type { AccountId, PaymentRequestId, LedgerTransactionId } from '#shared/kernel/ids.js';
import { netAfterFee } from '../on-chain-movement.js';
import type { SettledAddressPayout } from './facts.js';

export interface BookedFunds {
  readonly transactionId: LedgerTransactionId;
  readonly paymentRequestId: PaymentRequestId;
  readonly address: string;
  readonly gross: bigint;
  readonly net: bigint;
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

export class UnsettledFunds {
  private readonly byPlace = new Map<string, BookedFunds[]>();

  add(place: Pick<DepositPlace, 'accountId' | 'uniqueAssetId'>, money: BookedFunds): void {
    const key = placeKeyOf({ ...money, ...place });
    const there = this.byPlace.get(key) ?? [];
    const after = there.findIndex(({ number }) => number > money.number);
    there.splice(after === -1 ? there.length : after, 0, money);
    this.byPlace.set(key, there);
  }

  /** Oldest first. The sum is less than the payout's gross if the payout also took funds that are not booked yet. */
  takeForPayout(
    place: Pick<DepositPlace, 'accountId' | 'uniqueAssetId'>,
    payout: SettledAddressPayout,
  ): BookedFunds[] {
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

export function uncoveredAmount({ gross }: SettledAddressPayout, delivered: readonly BookedFunds[]): bigint {
  return delivered.reduce((left, money) => left - money.gross, gross);
}

/** The net amount of the linked transactions if they cover the payout fully, otherwise its gross minus the fee. */
export function merchantShareOf(payout: SettledAddressPayout, delivered: readonly BookedFunds[]): bigint {
  return uncoveredAmount(payout, delivered) === 0n
    ? delivered.reduce((sum, { net }) => sum + net, 0n)
    : netAfterFee(payout.gross, payout.feeBasisPoints);
}

export function deliveredFundsOf(
  payout: SettledAddressPayout,
  delivered: readonly BookedFunds[],
): BookedFunds[] {
  return delivered.filter(
    ({ paymentRequestId, address }) =>
      paymentRequestId === payout.paymentRequestId && address === payout.address,
  );
}
