import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { ChainPayout } from '#contexts/networks/contract/chain-reader.js';
import {
  COIN,
  DOLLAR,
  ETHER,
  EURO,
  NETWORK,
  SmallCatalogue,
} from '#contexts/payments/testing/requests/collecting-world.js';
import { openPayments, type Payments } from '#contexts/payments/testing/requests/open-payments.js';
import { PAYING, paidOut, type Sent } from '../testing/model-block.js';
import type { PaymentRequestView } from '#contexts/payments/application/requests/payment-request-view.js';

const CONFIRMATIONS = 3;

let payments: Payments;
beforeAll(async () => {
  const [sandbox] = new SmallCatalogue().networks();
  payments = await openPayments(CONFIRMATIONS, new SmallCatalogue([sandbox!], [DOLLAR, EURO, ETHER, COIN]));
  await payments.follow();
});
afterAll(() => payments.close());
afterEach(async () => {
  expect(await payments.breaches()).toEqual({});
  payments.alerts.noted.length = 0;
});

async function requests(count: number): Promise<PaymentRequestView[]> {
  const point = await payments.pointsOfSale.open({ paymentOptions: [DOLLAR.uniqueAssetId] });
  const made: PaymentRequestView[] = [];
  for (let i = 0; i < count; i += 1) made.push(await payments.request({}, point));
  return made;
}

const arrives = ({ address }: PaymentRequestView, token: string, amount: bigint): Sent => ({
  to: address,
  token,
  amount,
  kind: token === COIN.token ? 'call' : 'log',
});

async function final(): Promise<void> {
  payments.chain.mineEmpty(CONFIRMATIONS);
  await payments.follow();
}

const told = ({ accountId }: PaymentRequestView) =>
  payments.database.query<{ type: string; group: string; data: Record<string, unknown> }>(
    `SELECT type, aggregate_id AS "group", data FROM platform.events
     WHERE type LIKE 'payouts.%' AND account_id = $1 ORDER BY transaction_id, position`,
    [accountId],
  );

const typesOf = (events: Awaited<ReturnType<typeof told>>) => events.map(({ type }) => type);

/** Puts movements with the same transaction name into one transaction. */
function inOne(sent: Sent, transaction = 'one'): Sent {
  return { ...sent, transaction };
}

describe('A payout', () => {
  it('is published with all payouts of its transaction and account, and again when it is final', async () => {
    const [one, other] = (await requests(2)) as [PaymentRequestView, PaymentRequestView];
    const [stranger] = (await requests(1)) as [PaymentRequestView];
    payments.chain.mine(
      arrives(one, DOLLAR.token, 1_000n),
      arrives(one, COIN.token, 70n),
      arrives(other, ETHER.token, 10n ** 20n),
      arrives(stranger, DOLLAR.token, 5n),
    );
    const block = payments.chain.mine(
      ...[paidOut(one, DOLLAR.token, 1_000n), paidOut(one, COIN.token, 70n)].map((each) => inOne(each)),
      ...[paidOut(other, ETHER.token, 10n ** 20n), paidOut(stranger, DOLLAR.token, 5n)].map((each) =>
        inOne(each),
      ),
      ...[paidOut(one, DOLLAR.token, 0n), paidOut(one, `0x${'99'.repeat(20)}`, 5n)].map((each) =>
        inOne(each),
      ),
    );
    await payments.follow();
    const seen = await told(one);

    expect(typesOf(seen)).toEqual(['payouts.seen']);
    const of = (request: PaymentRequestView, asset: typeof DOLLAR, toSettlement: string, toFee: string) => ({
      ...{ paymentRequestId: request.id, address: request.address.toLowerCase(), toSettlement, toFee },
      ...{ uniqueAssetId: asset.uniqueAssetId, currency: asset.symbol, decimals: asset.decimals },
      settlementAddress: expect.stringMatching(/^0x[0-9a-f]{40}$/),
      feeBasisPoints: expect.any(Number),
    });
    expect(seen[0]!.data).toEqual({
      network: NETWORK,
      transactionHash: expect.stringMatching(/^0x/),
      from: PAYING,
      blockNumber: block.number,
      blockHash: block.hash,
      payouts: [
        of(one, DOLLAR, '900', '100'),
        of(one, COIN, '63', '7'),
        of(other, ETHER, `9${'0'.repeat(19)}`, `1${'0'.repeat(19)}`),
      ],
    });
    expect(typesOf(await told(stranger))).toEqual(['payouts.seen']);

    payments.chain.mineEmpty(CONFIRMATIONS - 2);
    await payments.follow();
    expect(typesOf(await told(one))).toEqual(['payouts.seen']);
    payments.chain.mineEmpty(1);
    await payments.follow();

    expect((await told(one)).slice(1)).toEqual([
      { type: 'payouts.final', group: seen[0]!.group, data: { network: NETWORK } },
    ]);
  });
});

describe('A payout whose block is reorganized away', () => {
  it('is removed, and published again when it is mined again', async () => {
    const [one] = (await requests(1)) as [PaymentRequestView];
    payments.chain.mine(arrives(one, DOLLAR.token, 500n));
    await final();
    payments.chain.mine(inOne(paidOut(one, DOLLAR.token, 500n), 'again'));
    await payments.follow();
    payments.chain.takeBack(1);
    payments.chain.mine();
    payments.chain.mine(inOne(paidOut(one, DOLLAR.token, 500n), 'again'));
    await payments.follow();
    await final();

    const events = await told(one);
    const [first, , second] = events.map(({ group }) => group);
    expect(events.map(({ type, group }) => [type, group])).toEqual([
      ['payouts.seen', first],
      ['payouts.removed', first],
      ['payouts.seen', second],
      ['payouts.final', second],
    ]);
    expect(events[1]!.data).toEqual({ network: NETWORK, wereFinal: false });
    expect(second).not.toBe(first);
    expect(payments.alerts.noted).toEqual(['reorganised 1']);
  });

  it('is removed with an alert even if it was final', async () => {
    const [one] = (await requests(1)) as [PaymentRequestView];
    payments.chain.mine(inOne(paidOut(one, DOLLAR.token, 500n), 'deep'));
    await final();
    payments.chain.takeBack(CONFIRMATIONS + 1);
    payments.chain.mineEmpty(CONFIRMATIONS + 2);
    await payments.follow();

    const events = await told(one);
    expect(typesOf(events)).toEqual(['payouts.seen', 'payouts.final', 'payouts.removed']);
    expect(events[2]!.data).toEqual({ network: NETWORK, wereFinal: true });
    expect(payments.alerts.noted).toEqual([
      `final payouts of ${String(events[0]!.data.transactionHash)} disappeared`,
      `reorganised ${CONFIRMATIONS + 1}`,
    ]);
  });
});

describe('A payout that the second reading corrects', () => {
  /** Follows the chain with each block's payouts changed in the first reading. */
  async function mistold(
    told: (payouts: readonly ChainPayout[]) => readonly ChainPayout[],
    ...sent: readonly Sent[]
  ): Promise<void> {
    const tells = payments.chain.told.bind(payments.chain);
    payments.chain.told = (block) => {
      const whole = tells(block);
      return { ...whole, payouts: told(whole.payouts) };
    };
    payments.chain.mine(...sent);
    await payments.follow();
    payments.chain.told = tells;
    await final();
  }

  it('is published again completely if the first reading missed a part', async () => {
    const [one, other] = (await requests(2)) as [PaymentRequestView, PaymentRequestView];
    const sent = [paidOut(one, DOLLAR.token, 500n), paidOut(other, DOLLAR.token, 600n)];
    await mistold((payouts) => payouts.slice(1), ...sent.map((each) => inOne(each, 'part')));

    const events = await told(one);
    expect(typesOf(events)).toEqual(['payouts.seen', 'payouts.removed', 'payouts.seen', 'payouts.final']);
    expect(events.map(({ data }) => (data.payouts as object[] | undefined)?.length)).toEqual([
      1,
      undefined,
      2,
      undefined,
    ]);
    expect(events[1]!.data).toEqual({ network: NETWORK, wereFinal: false });
  });
});
