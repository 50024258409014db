import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ChainModel } from '#contexts/payments/testing/watching/chain-model.js';
import { CONFIRMATIONS, NETWORK } from '#contexts/payments/testing/requests/collecting-world.js';
import { openPayments, type Payments } from '#contexts/payments/testing/requests/open-payments.js';

let payments: Payments;
beforeEach(async () => {
  payments = await openPayments();
  await payments.follow();
});
afterEach(() => payments.close());

describe('A head on another fork than was read', () => {
  it('makes nothing final on ours, though another endpoint still stands on it', async () => {
    const { chain, secondEndpoint } = payments;
    const finalNumber = async () => (await payments.watched.cursor(NETWORK))!.finalNumber;
    // The same blocks, which stay there.
    const left = new ChainModel(chain.tip.time, CONFIRMATIONS, chain.blockSeconds);
    secondEndpoint.others.set(NETWORK, left);
    const ours = [left.mine(), chain.mine()];
    await payments.follow();

    chain.takeBack(1);
    left.mineEmpty(CONFIRMATIONS);
    chain.mineEmpty(60);
    chain.hide(2);
    await payments.follow();
    const fooled = await finalNumber();
    secondEndpoint.others.clear();
    chain.reveal();
    await payments.follow();

    expect(ours[0]).toEqual(ours[1]);
    expect(fooled).toBe(0);
    expect(await finalNumber()).toBe(chain.tip.number - CONFIRMATIONS + 1);
  });
});
