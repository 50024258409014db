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
import { PAYING, type Sent } from '#contexts/payments/testing/watching/model-block.js';
import { inOne, paidOut, payoutEvents, typesOf } from '#contexts/payments/testing/watching/payout-events.js';
import type { PaymentRequestView } from '../../requests/payment-request-view.js';

const FORMER = `0x${'fb'.repeat(20)}`;
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

/** Requests of one account, each with an address of its own. */
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
const told = (request: PaymentRequestView) => payoutEvents(payments.database, request);

async function final(): Promise<void> {
  payments.chain.mineEmpty(CONFIRMATIONS);
  await payments.follow();
}

describe('A payout', () => {
  it('is told with all that its transaction paid out of the account, of tokens and native coin, and once it is final', async () => {
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
    );
    await payments.follow();
    const seen = await told(one);

    expect(typesOf(seen)).toEqual(['payouts.seen']);
    const of = (request: PaymentRequestView, asset: typeof DOLLAR, toSettlement: string, toFee: string) => ({
      paymentRequestId: request.id,
      address: request.address.toLowerCase(),
      toSettlement,
      toFee,
      uniqueAssetId: asset.uniqueAssetId,
      currency: asset.symbol,
      decimals: asset.decimals,
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

    await final();

    expect((await told(one)).slice(1)).toEqual([
      { type: 'payouts.final', group: seen[0]!.group, data: { network: NETWORK } },
    ]);
  });

  it('in another block than was read, or above what was read, is noticed', async () => {
    const [one] = (await requests(1)) as [PaymentRequestView];
    const { number, hash } = payments.chain.mine(paidOut(one, DOLLAR.token, 5n));
    await final();
    const moved = (column: string, value: string | number) =>
      payments.database.query(`UPDATE payments.payouts SET ${column} = $2 WHERE payment_request_id = $1`, [
        one.id,
        value,
      ]);

    for (const [column, wrong, right] of [
      ['block_hash', '0xgone', hash],
      ['block_number', 1_000_000, number],
    ] as const) {
      await moved(column, wrong);
      expect(Object.keys(await payments.breaches())).toContain('payouts-stand-in-read-blocks');
      await moved(column, right);
    }
  });

  it('of the same address later is told of again, and another contract’s of the same transaction by itself', async () => {
    const [one] = (await requests(1)) as [PaymentRequestView];
    payments.chain.mine(paidOut(one, DOLLAR.token, 500n));
    payments.chain.mine(
      inOne(paidOut(one, DOLLAR.token, 20n), 're'),
      inOne(paidOut(one, EURO.token, 30n, { from: FORMER }), 're'),
    );
    await final();

    const events = await told(one);
    expect(events.filter(({ type }) => type === 'payouts.seen').map(({ data }) => data.from)).toEqual([
      PAYING,
      PAYING,
      FORMER,
    ]);
    expect(new Set(events.map(({ group }) => group)).size).toBe(3);
  });

  it.each([
    ['of nothing', (one: PaymentRequestView) => paidOut(one, DOLLAR.token, 0n)],
    [
      'of a token that is not catalogued',
      (one: PaymentRequestView) => paidOut(one, `0x${'99'.repeat(20)}`, 5n),
    ],
  ])('%s is ignored', async (_what, sent) => {
    const [one] = (await requests(1)) as [PaymentRequestView];
    payments.chain.mine(sent(one));
    await final();

    expect(await told(one)).toEqual([]);
  });
});

describe('A payout whose block is reorganised away', () => {
  it('is taken back, and told of anew where it is mined again', async () => {
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

  it('though it was final is taken back as such, with an alert', async () => {
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

describe('A payout that a second reading shows otherwise', () => {
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

  it('is told of late where the first reading missed it', async () => {
    const [one] = (await requests(1)) as [PaymentRequestView];
    await mistold(() => [], paidOut(one, DOLLAR.token, 500n));

    expect(typesOf(await told(one))).toEqual(['payouts.seen', 'payouts.final']);
    expect(payments.alerts.noted).toEqual(['missed 1, invented 0']);
  });

  it('is told of anew, whole, where the first reading missed a part', async () => {
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

  it('is taken back where it was invented, and the right one told of', async () => {
    const [one] = (await requests(1)) as [PaymentRequestView];
    await mistold(
      (payouts) => payouts.map((payout) => ({ ...payout, toFee: 0n, toSettlement: 500n })),
      paidOut(one, DOLLAR.token, 500n),
    );

    const events = await told(one);
    expect(typesOf(events)).toEqual(['payouts.seen', 'payouts.removed', 'payouts.seen', 'payouts.final']);
    expect(events[2]!.data.payouts).toMatchObject([{ toSettlement: '450', toFee: '50' }]);
  });
});
