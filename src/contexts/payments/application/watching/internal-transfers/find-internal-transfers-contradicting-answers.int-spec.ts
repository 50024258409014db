import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ChainUnavailable, type ChainTransfer } from '#contexts/networks/contract/chain-reader.js';
import {
  COIN,
  DOLLAR,
  NETWORK,
  SmallCatalogue,
} from '#contexts/payments/testing/requests/collecting-world.js';
import { PAYING, type Sent } from '#contexts/payments/testing/watching/model-block.js';
import { openPayments, pay, type Payments } from '#contexts/payments/testing/requests/open-payments.js';
import type { PaymentRequestView } from '../../requests/payment-request-view.js';

const COINS = 10n ** 18n;

let payments: Payments;
// Also checks every invariant on what the test has left.
afterEach(() => payments.close());

async function open(catalogue: SmallCatalogue): Promise<void> {
  payments = await openPayments(3, catalogue);
  await payments.follow();
}

/** A request of two coins. */
async function coinRequest(): Promise<PaymentRequestView> {
  const point = await payments.pointsOfSale.open({ paymentOptions: [COIN.uniqueAssetId] });
  return payments.request({ amount: '2', uniqueAssetId: COIN.uniqueAssetId }, point);
}

function coins(
  { address }: Pick<PaymentRequestView, 'address'>,
  kind: Sent['kind'],
  amount = 2n * COINS,
): Sent {
  return { to: address, amount, token: COIN.token, kind };
}

/** Adds to every balance that the endpoint read first answers. */
function pretend(more: bigint): () => void {
  const honest = payments.chain.balances.bind(payments.chain);
  payments.chain.balances = async (...asked) => (await honest(...asked)).map((balance) => balance + more);
  return () => {
    payments.chain.balances = honest;
  };
}

describe('Answers about native coin that contradict each other', () => {
  beforeEach(() => open(SmallCatalogue.withCoin()));

  it('count a plain transaction once that the first reading left out and the balance gave away', async () => {
    const request = await coinRequest();
    payments.chain.skips = () => true;
    payments.chain.mine(coins(request, 'call'));
    await payments.follow();

    payments.chain.skips = () => false;
    payments.chain.mineEmpty(4);
    await payments.follow();

    const read = await payments.read(request);
    expect([read.status, read.receivedAmount]).toEqual(['completed', 2n * COINS]);
    expect(read.transfers).toMatchObject([{ kind: 'call' }]);
  });

  it('confirm nothing that one endpoint once pretended to be a balance', async () => {
    payments.secondEndpoint.others.set(NETWORK, payments.chain.anotherEndpoint());
    const request = await coinRequest();
    const tellTruth = pretend(2n * COINS);
    payments.chain.mine();
    await payments.turn();
    const pretended = await payments.read(request);

    tellTruth();
    payments.chain.mineEmpty(5);
    await payments.follow();

    const read = await payments.read(request);
    expect([pretended.status, read.status, read.receivedAmount]).toEqual(['processing', 'processing', 0n]);
    expect(read.transfers).toEqual([]);
  });

  it('confirm nothing that one endpoint goes on pretending, while another is honest', async () => {
    payments.secondEndpoint.others.set(NETWORK, payments.chain.anotherEndpoint());
    const request = await coinRequest();
    const tellTruth = pretend(2n * COINS);
    payments.chain.mine();
    payments.chain.mineEmpty(6);
    await payments.follow();

    expect((await payments.read(request)).status).toBe('processing');
    tellTruth();
  });

  it('take back a payout that was invented, and what was concluded from it', async () => {
    payments.secondEndpoint.others.set(NETWORK, payments.chain.anotherEndpoint());
    const request = await coinRequest();
    const honest = payments.chain.told.bind(payments.chain);
    const invented = {
      transactionHash: `0x${'77'.repeat(32)}`,
      logIndex: 3,
      from: PAYING,
      address: request.address.toLowerCase(),
      token: COIN.token,
      toFee: 0n,
    };
    payments.chain.told = (block) => ({
      ...honest(block),
      payouts: block.header.number === 1 ? [{ ...invented, toSettlement: 2n * COINS }] : [],
    });
    payments.chain.mine();
    await payments.follow();

    payments.chain.told = honest;
    payments.chain.mineEmpty(5);
    await payments.follow();

    expect((await payments.read(request)).receivedAmount).toBe(0n);
    expect(await payments.database.query('SELECT 1 FROM payments.payouts WHERE canonical')).toEqual([]);
  });

  it('stop neither the reading nor the tokens where balances are not answered', async () => {
    await coinRequest();
    const other = await payments.request();
    payments.chain.balances = () => Promise.reject(new ChainUnavailable(NETWORK, 'HTTP status 429'));
    payments.chain.mine(pay(other, 1000));
    payments.chain.mineEmpty(5);
    await payments.follow();

    expect((await payments.read(other)).status).toBe('completed');
    expect((await payments.watched.cursor(NETWORK))!.head.number).toBe(payments.chain.tip.number);
  });

  it('make nobody late whose money came while no state was known', async () => {
    const request = await coinRequest();
    payments.chain.mine();
    await payments.follow();
    payments.chain.statesKept = 3;
    payments.chain.mine(coins(request, 'internal'));
    payments.chain.mineBeyond(new Date(request.expiresAt.getTime() + 3_600_000));
    await payments.turn();
    const unknown = await payments.read(request);

    await payments.follow();
    payments.chain.mineEmpty(3);
    await payments.follow();

    expect(unknown.status).toBe('created');
    expect((await payments.read(request)).status).toBe('completed');
  });
});

describe('A false balance above the cross-check threshold', () => {
  it('about a balance is not agreed to because both are asked again later', async () => {
    await open(
      new SmallCatalogue(new SmallCatalogue().networks(), [DOLLAR, { ...COIN, crossCheckAbove: COINS }]),
    );
    payments.secondEndpoint.others.set(NETWORK, payments.chain.anotherEndpoint());
    const request = await coinRequest();
    const tellTruth = pretend(2n * COINS);
    payments.chain.mine();
    await payments.turn();
    tellTruth();
    payments.chain.mineEmpty(5);
    await payments.follow();

    expect((await payments.read(request)).receivedAmount).toBe(0n);
  });

  it.each([
    ['below it', new SmallCatalogue()],
    ['above it', SmallCatalogue.withAgreementAbove(5_000_000n)],
  ])(
    '%s confirms nothing though the false endpoint reads both times, first as the one and then as the other',
    async (_, catalogue) => {
      await open(catalogue);
      const request = await payments.request();
      const transfer: ChainTransfer = {
        kind: 'log',
        transactionHash: `0x${'99'.repeat(32)}`,
        index: 77,
        token: DOLLAR.token,
        from: `0x${'98'.repeat(20)}`,
        to: request.address.toLowerCase(),
        amount: 10_000_000n,
      };
      const invents = ({ number }: { number: number }) => (number === 1 ? [transfer] : []);
      const liar = payments.chain.anotherEndpoint();
      liar.invents = invents;
      liar.holds = (_network, _hash, transfers) => Promise.resolve(transfers.map(() => true));
      payments.chain.invents = invents;
      payments.chain.mine();
      await payments.follow();

      payments.chain.invents = () => [];
      payments.secondEndpoint.others.set(NETWORK, liar);
      payments.chain.mineEmpty(5);
      await payments.follow();

      expect((await payments.read(request)).status).toBe('processing');
      expect((await payments.watched.cursor(NETWORK))!.disagreement).toMatch(/only one endpoint shows/);
    },
  );

  it('never holds up others: who cannot be confirmed waits alone', async () => {
    await open(SmallCatalogue.withAgreementAbove(5_000_000n));
    const large = await Promise.all(Array.from({ length: 25 }, () => payments.request()));
    payments.chain.mine(...large.map((request) => pay(request, 1000)));
    await payments.follow();
    const other = payments.chain.anotherEndpoint();
    const last = large.at(-1)!.address.toLowerCase();
    other.holds = (_network, _hash, transfers) => Promise.resolve(transfers.map(({ to }) => to === last));
    payments.secondEndpoint.others.set(NETWORK, other);
    payments.chain.holds = other.holds;

    const watcher = payments.watcher();
    for (let turn = 1; turn <= 3; turn += 1) await watcher.execute(NETWORK, payments.epoch);

    expect((await payments.read(large.at(-1)!)).transfers[0]).not.toMatchObject({ awaitsCrossCheck: true });
    expect((await payments.read(large[0]!)).transfers[0]).toMatchObject({ awaitsCrossCheck: true });
  });
});
