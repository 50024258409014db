import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  COIN,
  NETWORK,
  OTHER_NETWORK,
  SmallCatalogue,
} from '#contexts/payments/testing/requests/collecting-world.js';
import { openPayments, type Payments } from '#contexts/payments/testing/requests/open-payments.js';
import { PostgresInternalTransferLook } from '#contexts/payments/infrastructure/watching/persistence/postgres-internal-transfer-look.js';
import type { PaymentRequestView } from '../../requests/payment-request-view.js';

const PART = 10n ** 18n;

let payments: Payments;
let look: PostgresInternalTransferLook;
beforeAll(async () => {
  payments = await openPayments(3, SmallCatalogue.withCoin());
  look = new PostgresInternalTransferLook(payments.database, payments.catalogue);
  await payments.follow();
});
afterAll(() => payments.close());

/** Requests that expired unpaid; no sweep of balances is due. */
async function expired(count: number): Promise<PaymentRequestView[]> {
  const point = await payments.pointsOfSale.open({ paymentOptions: [COIN.uniqueAssetId] });
  const made: PaymentRequestView[] = [];
  for (let i = 0; i < count; i += 1)
    made.push(await payments.request({ amount: '2', uniqueAssetId: COIN.uniqueAssetId }, point));
  payments.chain.mineBeyond(new Date(made[0]!.expiresAt.getTime() + 600_000));
  payments.chain.mineEmpty(4);
  await payments.follow();
  return made;
}

const now = () => payments.platform.clock.now();
const amounts = async (request: PaymentRequestView) =>
  (await payments.read(request)).transfers.map(({ kind, amount }) => [kind, amount]);

describe('A look for internal transfers', () => {
  it('finds one to a request that has ended, with the next turn, though no block comes', async () => {
    const [paid, other] = (await expired(2)) as [PaymentRequestView, PaymentRequestView];
    payments.chain.mine({ to: paid.address, amount: PART, token: COIN.token, kind: 'internal' });
    payments.chain.mine();
    await payments.follow();
    const since = await now();
    const unseen = await amounts(paid);

    const asked = await look.comparedSince(NETWORK, [paid.address, other.address], since);
    await payments.turn();

    expect([unseen, asked.size]).toEqual([[], 0]);
    expect(await look.comparedSince(NETWORK, [paid.address, other.address], since)).toEqual(
      new Set([paid.address, other.address]),
    );
    expect(await amounts(paid)).toEqual([['balance', PART]]);
    payments.chain.mineEmpty(4);
    await payments.follow();
    expect(await amounts(paid)).toEqual([['balance', PART]]);
  });

  it('is taken once for each time that somebody asks, and again since a later time', async () => {
    const [one] = (await expired(1)) as [PaymentRequestView];
    const since = await now();
    await look.comparedSince(NETWORK, [one.address], since);
    await payments.turn();
    const later = await now();

    const asked: unknown[] = [];
    payments.chain.beforeAnswer = (question) => void (question === 'balances' && asked.push(question));
    await payments.turn();
    expect(asked).toEqual([]);
    expect((await look.comparedSince(NETWORK, [one.address], since)).size).toBe(1);
    expect((await look.comparedSince(NETWORK, [one.address], later)).size).toBe(0);
    await payments.turn();
    payments.chain.beforeAnswer = () => undefined;

    expect(asked).toHaveLength(1);
    expect((await look.comparedSince(NETWORK, [one.address], later)).size).toBe(1);
  });

  it('is taken by a later turn where no balances are answered', async () => {
    const [one] = (await expired(1)) as [PaymentRequestView];
    const since = await now();
    await look.comparedSince(NETWORK, [one.address], since);
    payments.chain.statesKept = -1;
    await payments.turn();
    const unanswered = await look.comparedSince(NETWORK, [one.address], since);
    payments.chain.statesKept = Infinity;
    await payments.turn();

    expect(unanswered.size).toBe(0);
    expect((await look.comparedSince(NETWORK, [one.address], since)).size).toBe(1);
  });

  it('needs no turn where a network has no native coin to find', async () => {
    expect(await look.comparedSince(OTHER_NETWORK, ['0xabc'], await now())).toEqual(new Set(['0xabc']));
  });
});
