import { describe, expect, it } from '@jest/globals';
import { newId, type AccountId, type PaymentRequestId } from '#shared/kernel/ids.js';
import { deliveredFundsOf, UnsettledFunds, type BookedFunds } from './unsettled-funds.js';

const OWNER = { accountId: newId<AccountId>(), uniqueAssetId: 'nsandbox_tETH' };
const AT = { paymentRequestId: newId<PaymentRequestId>(), address: '0xa' };
const money = (gross: bigint, number = 1): BookedFunds => ({
  ...{ ...AT, transactionId: newId(), gross, net: gross, number: BigInt(number) },
});
const open = (...amounts: bigint[]) => {
  const there = new UnsettledFunds();
  amounts.forEach((gross, number) => there.add(OWNER, money(gross, number)));
  return there;
};
const payout = (gross: bigint) => ({ ...AT, gross, feeBasisPoints: 0 });
const grosses = (taken: BookedFunds[]) => taken.map(({ gross }) => gross);

describe('The open money at an address', () => {
  it.each([
    ['the oldest that sum to the payout', [3n, 4n, 5n], 7n, [3n, 4n]],
    ['as many as possible that sum to the payout', [10n, 4n, -4n], 10n, [10n, 4n, -4n]],
    ['what fits if the payout took money that is not booked yet', [3n, 4n], 5n, [3n]],
    ['no reversal that leaves less than nothing', [-5n, 10n], 3n, []],
  ])('gives a payout %s', (_, amounts, gross, taken) => {
    expect(grosses(open(...amounts).takeForPayout(OWNER, payout(gross)))).toEqual(taken);
  });

  it('is sorted by sequence number after a failed settlement returns funds', () => {
    const there = new UnsettledFunds();
    for (const number of [3, 1, 2]) there.add(OWNER, money(BigInt(number), number));

    expect(grosses(there.takeForPayout(OWNER, payout(3n)))).toEqual([1n, 2n]);
  });

  it.each([
    ['account', { ...OWNER, accountId: newId<AccountId>() }],
    ['asset', { ...OWNER, uniqueAssetId: 'other' }],
  ])('is not given to another %s', (_, owner) => {
    expect(open(3n).takeForPayout(owner, payout(3n))).toEqual([]);
  });
});

describe('The money that a payout delivers', () => {
  it('includes only money of the payment request of the payout, even at a shared address', () => {
    const others = { ...money(3n), paymentRequestId: newId<PaymentRequestId>() };
    const own = money(3n);

    expect(deliveredFundsOf(payout(3n), [others, own, { ...own, address: '0xb' }])).toEqual([own]);
  });
});
