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
import { PAYING_CONTRACT, sentPayout, type SentMovement } from '../testing/model-block.js';
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

async function openRequests(count: number): Promise<PaymentRequestView[]> {
  const point = await payments.pointsOfSale.open({ paymentOptions: [DOLLAR.uniqueAssetId] });
  const made: PaymentRequestView[] = [];
  for (let i = 0; i < count; i += 1) made.push(await payments.request({}, point));
  return made;
}

const incomingMovement = ({ address }: PaymentRequestView, token: string, amount: bigint): SentMovement => ({
  to: address,
  token,
  amount,
  kind: token === COIN.token ? 'call' : 'log',
});

async function makeFinal(): Promise<void> {
  payments.chain.mineEmpty(CONFIRMATIONS);
  await payments.follow();
}

const readPayoutEvents = ({ accountId }: PaymentRequestView) =>
  payments.database.query<{ type: string; group: string; data: Record<string, unknown> }>(
    `SELECT type, aggregate_id AS "group", data FROM platform.events
     WHERE type LIKE 'payouts.%' AND account_id = $1 ORDER BY transaction_id, position`,
    [accountId],
  );

const typesOf = (events: Awaited<ReturnType<typeof readPayoutEvents>>) => events.map(({ type }) => type);

/** Puts movements with the same transaction name into one transaction. */
function inOneTransaction(sent: SentMovement, transaction = 'one'): SentMovement {
  return { ...sent, transaction };
}

describe('A payout', () => {
  it('is published with all payouts of its transaction and account, and again when it is final', async () => {
    const [one, other] = (await openRequests(2)) as [PaymentRequestView, PaymentRequestView];
    const [stranger] = (await openRequests(1)) as [PaymentRequestView];
    payments.chain.mine(
      incomingMovement(one, DOLLAR.token, 1_000n),
      incomingMovement(one, COIN.token, 70n),
      incomingMovement(other, ETHER.token, 10n ** 20n),
      incomingMovement(stranger, DOLLAR.token, 5n),
    );
    const block = payments.chain.mine(
      ...[sentPayout(one, DOLLAR.token, 1_000n), sentPayout(one, COIN.token, 70n)].map((each) =>
        inOneTransaction(each),
      ),
      ...[sentPayout(other, ETHER.token, 10n ** 20n), sentPayout(stranger, DOLLAR.token, 5n)].map((each) =>
        inOneTransaction(each),
      ),
      ...[sentPayout(one, DOLLAR.token, 0n), sentPayout(one, `0x${'99'.repeat(20)}`, 5n)].map((each) =>
        inOneTransaction(each),
      ),
    );
    await payments.follow();
    const seen = await readPayoutEvents(one);

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
      from: PAYING_CONTRACT,
      blockNumber: block.number,
      blockHash: block.hash,
      payouts: [
        of(one, DOLLAR, '900', '100'),
        of(one, COIN, '63', '7'),
        of(other, ETHER, `9${'0'.repeat(19)}`, `1${'0'.repeat(19)}`),
      ],
    });
    expect(typesOf(await readPayoutEvents(stranger))).toEqual(['payouts.seen']);

    payments.chain.mineEmpty(CONFIRMATIONS - 2);
    await payments.follow();
    expect(typesOf(await readPayoutEvents(one))).toEqual(['payouts.seen']);
    payments.chain.mineEmpty(1);
    await payments.follow();

    expect((await readPayoutEvents(one)).slice(1)).toEqual([
      { type: 'payouts.final', group: seen[0]!.group, data: { network: NETWORK } },
    ]);
  });
});

describe('A payout whose block is reorganized away', () => {
  it('is removed, and published again when it is mined again', async () => {
    const [one] = (await openRequests(1)) as [PaymentRequestView];
    payments.chain.mine(incomingMovement(one, DOLLAR.token, 500n));
    await makeFinal();
    payments.chain.mine(inOneTransaction(sentPayout(one, DOLLAR.token, 500n), 'again'));
    await payments.follow();
    payments.chain.removeNewestBlocks(1);
    payments.chain.mine();
    payments.chain.mine(inOneTransaction(sentPayout(one, DOLLAR.token, 500n), 'again'));
    await payments.follow();
    await makeFinal();

    const events = await readPayoutEvents(one);
    const [first, , second] = events.map(({ group }) => group);
    expect(events.map(({ type, group }) => [type, group])).toEqual([
      ['payouts.seen', first],
      ['payouts.removed', first],
      ['payouts.seen', second],
      ['payouts.final', second],
    ]);
    expect(events[1]!.data).toEqual({ network: NETWORK, wereFinal: false });
    expect(second).not.toBe(first);
    expect(payments.alerts.noted).toEqual(['reorganized 1']);
  });

  it('is removed with an alert even if it was final', async () => {
    const [one] = (await openRequests(1)) as [PaymentRequestView];
    payments.chain.mine(inOneTransaction(sentPayout(one, DOLLAR.token, 500n), 'deep'));
    await makeFinal();
    payments.chain.removeNewestBlocks(CONFIRMATIONS + 1);
    payments.chain.mineEmpty(CONFIRMATIONS + 2);
    await payments.follow();

    const events = await readPayoutEvents(one);
    expect(typesOf(events)).toEqual(['payouts.seen', 'payouts.final', 'payouts.removed']);
    expect(events[2]!.data).toEqual({ network: NETWORK, wereFinal: true });
    expect(payments.alerts.noted).toEqual([
      `final payouts of ${String(events[0]!.data.transactionHash)} disappeared`,
      `reorganized ${CONFIRMATIONS + 1}`,
    ]);
  });
});

describe('A payout that the second reading corrects', () => {
  /** Follows the chain with each block's payouts changed in the first reading. */
  async function mistold(
    told: (payouts: readonly ChainPayout[]) => readonly ChainPayout[],
    ...sent: readonly SentMovement[]
  ): Promise<void> {
    const tells = payments.chain.answeredBlock.bind(payments.chain);
    payments.chain.answeredBlock = (block) => {
      const whole = tells(block);
      return { ...whole, payouts: told(whole.payouts) };
    };
    payments.chain.mine(...sent);
    await payments.follow();
    payments.chain.answeredBlock = tells;
    await makeFinal();
  }

  it('is published again completely if the first reading missed a part', async () => {
    const [one, other] = (await openRequests(2)) as [PaymentRequestView, PaymentRequestView];
    const sent = [sentPayout(one, DOLLAR.token, 500n), sentPayout(other, DOLLAR.token, 600n)];
    await mistold((payouts) => payouts.slice(1), ...sent.map((each) => inOneTransaction(each, 'part')));

    const events = await readPayoutEvents(one);
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
