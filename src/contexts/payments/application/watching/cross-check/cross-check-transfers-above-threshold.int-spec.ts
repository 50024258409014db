import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import {
  CONFIRMATIONS,
  NETWORK,
  SmallCatalogue,
} from '#contexts/payments/testing/requests/collecting-world.js';
import { openPayments, pay, type Payments } from '#contexts/payments/testing/requests/open-payments.js';

let payments: Payments;
beforeEach(async () => {
  payments = await openPayments(CONFIRMATIONS, SmallCatalogue.withAgreementAbove(5_000_000n));
  await payments.follow();
});
afterEach(() => payments.close());

describe('A transfer above the cross-check threshold', () => {
  it('is not final, nor its request decided, before a second endpoint shows its block and receipt', async () => {
    const request = await payments.request();
    payments.chain.mine(pay(request, 1000));
    payments.chain.mineBeyond(new Date(request.expiresAt.getTime() + 300_000));
    await payments.follow();
    const alone = await payments.read(request);

    payments.secondEndpoint.others.set(NETWORK, payments.chain.anotherEndpoint());
    await payments.follow();

    expect([alone.status, alone.transfers[0]!.final]).toEqual(['processing', false]);
    const read = await payments.read(request);
    expect([read.status, read.transfers[0]!.final]).toEqual(['completed', true]);
  });

  it('counts by one endpoint up to that threshold', async () => {
    const request = await payments.request();
    payments.chain.mine(pay(request, 500), pay(request, 500));
    payments.chain.mineEmpty(2);
    await payments.follow();

    expect((await payments.read(request)).status).toBe('completed');
  });

  it('goes on waiting while the second endpoint has another block there, or does not answer', async () => {
    const request = await payments.request();
    const other = payments.chain.anotherEndpoint();
    other.holds = (_network, _hash, transfers) => Promise.resolve(transfers.map(() => false));
    payments.secondEndpoint.others.set(NETWORK, other);
    payments.chain.mine(pay(request, 1000));
    payments.chain.mineEmpty(4);
    await payments.follow();
    const unheld = await payments.read(request);

    other.holds = () => Promise.reject(new ChainUnavailable(NETWORK, 'no connection'));
    await payments.follow();

    expect([unheld.status, (await payments.read(request)).status]).toEqual(['processing', 'processing']);
  });
});
