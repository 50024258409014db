import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '#shared/kernel/ids.js';
import { openCheckouts, type Checkouts } from '../../testing/checkout/open-checkouts.js';
import { DOLLAR, ETHER, NETWORK } from '../../testing/requests/collecting-world.js';
import { refusal, pay } from '../../testing/requests/open-payments.js';
import { keyLookupIn, verifyNaspipToken } from '#shared/naspip/naspip-token.js';
import type { ChargeRequestView, ChargeRequestInput } from '../../contract/charge-requests.js';
import { presentInstruction } from '../../infrastructure/checkout/http/wallet-payment-response.dto.js';
import { ResolvePaymentInstruction } from './resolve-payment-instruction.js';

let checkouts: Checkouts;
beforeEach(async () => {
  checkouts = await openCheckouts();
});
afterEach(() => checkouts.close());

async function countStoredRows(): Promise<number[]> {
  const [row] = await checkouts.platform.database.query<{ counts: number[] }>(
    `SELECT ARRAY[(SELECT count(*) FROM payments.payment_requests), (SELECT count(*) FROM payments.checkouts),
       (SELECT count(*) FROM platform.events)]::int[] AS counts`,
  );
  return row!.counts;
}

describe('Opening a charge', () => {
  it('stores a request under the given id, with a session and a window from the current time', async () => {
    const before = await checkouts.platform.clock.now();
    const input = checkouts.charge({ amount: '0.25', uniqueAssetId: ETHER.uniqueAssetId.toLowerCase() });

    const charge = await checkouts.charges.open(input);

    const session = await checkouts.session({ sessionId: charge.hostedCheckoutUrl.split('/').at(-1)! });
    expect(charge).toMatchObject({
      ...{ id: input.id, status: 'created', uniqueAssetId: ETHER.uniqueAssetId, network: NETWORK },
      ...{ amount: 25n * 10n ** 16n, receivedAmount: 0n },
      hostedCheckoutUrl: expect.stringMatching(/^https:\/\/pay\.example\/checkout\/[\w-]{32}$/),
    });
    expect(charge.createdAt >= before).toBe(true);
    expect(charge.expiresAt).toEqual(new Date(charge.createdAt.getTime() + 480_000));
    expect(session).toMatchObject({
      id: input.id,
      referenceId: 'subscription-7',
      amount: '0.25',
      coinCode: 'WETH',
      paymentOptions: [ETHER.uniqueAssetId],
      merchant: { name: 'Corner Coffee' },
      selected: { address: charge.address, amount: charge.amount },
    });
    expect('rate' in session!.selected!).toBe(false);
    expect([await checkouts.told(charge), await countStoredRows()]).toEqual([['created'], [1, 1, 1]]);
  });
});

describe('Opening a charge again', () => {
  it('returns the first request in one statement, even if the point of sale would now reject it', async () => {
    const input = checkouts.charge();
    const first = await checkouts.charges.open(input);
    await checkouts.platform.advance(60);
    await checkouts.pointsOfSale.change(checkouts.shop, { paymentOptions: [], type: 'physical' });
    checkouts.pointsOfSale.forget(checkouts.shop.id);
    checkouts.catalogue.taking = false;
    let again: unknown;

    const statements = await checkouts.database.sentBy(async () => {
      again = await checkouts.charges.open({ ...input, amount: '11.00' });
    });

    expect([again, statements.length, await countStoredRows()]).toEqual([first, 1, [1, 1, 1]]);
  });

  it('returns it if the first answer was lost after it was stored', async () => {
    const input = checkouts.charge();
    checkouts.database.afterStatement = (text) => {
      if (text.includes('INSERT INTO payments.payment_requests')) throw new Error('The process was killed.');
    };
    await expect(checkouts.charges.open(input)).rejects.toThrow('killed');
    checkouts.database.afterStatement = () => undefined;

    const charge = await checkouts.charges.open(input);

    expect([charge.id, await countStoredRows()]).toEqual([input.id, [1, 1, 1]]);
  });

  it('creates one request and one event for concurrent calls, with the same answer', async () => {
    const input = checkouts.charge();

    const answers = await Promise.all(Array.from({ length: 20 }, () => checkouts.charges.open(input)));

    expect(answers).toEqual(Array(20).fill(answers[0]));
    expect(await countStoredRows()).toEqual([1, 1, 1]);
  });

  it('does not find the charge of another organization or account', async () => {
    const input = checkouts.charge();
    await checkouts.charges.open(input);
    const { organizationId } = checkouts.shop;
    const strangers = await checkouts.openShop();
    const branch = await checkouts.openShop({ organizationId });

    const errors = [strangers, branch].map((shop) =>
      refusal(checkouts.charges.open(checkouts.charge({ id: input.id }, shop))),
    );

    const codes = (await Promise.all(errors)).map(({ kind, code }) => [kind, code]);
    expect(codes).toEqual(Array(2).fill(['not_found', 'not_found']));
    expect(await countStoredRows()).toEqual([1, 1, 1]);
  });
});

describe('Finding charges', () => {
  it("returns the current state of the organization's charges in one statement and ignores checkouts", async () => {
    const inputs = [checkouts.charge(), checkouts.charge()];
    const [paid, open] = [await checkouts.charges.open(inputs[0]!), await checkouts.charges.open(inputs[1]!)];
    const strangers = await checkouts.openShop();
    const theirs = await checkouts.charges.open(checkouts.charge({}, strangers));
    checkouts.chain.mine({ to: paid.address, amount: paid.amount, token: DOLLAR.token });
    checkouts.chain.mineEmpty(2);
    await checkouts.follow();
    const unselected = await checkouts.checkout();
    const ids = [paid.id, theirs.id, open.id, unselected.id, newId<never>()];
    let found: unknown[] = [];

    const statements = await checkouts.database.sentBy(async () => {
      found = await checkouts.charges.find(checkouts.shop.organizationId, ids);
    });

    expect(statements).toHaveLength(1);
    expect(found).toHaveLength(2);
    expect(found).toEqual(
      expect.arrayContaining([open, { ...paid, status: 'completed', receivedAmount: 10_000_000n }]),
    );
  });
});

let charge: ChargeRequestView;
const openCharge = async () => {
  charge = await checkouts.charges.open(checkouts.charge());
};

const sessionIdOf = ({ hostedCheckoutUrl }: ChargeRequestView) => hostedCheckoutUrl.split('/').at(-1)!;

function payloadOf(token: string) {
  const { payload } = verifyNaspipToken(token, keyLookupIn(checkouts.tokens.publicKeys()), charge.createdAt);
  return payload;
}

/** Returns the response that a wallet receives from `checkout_url`. */
async function walletAnswer() {
  const { queries, urls, platform, selecting } = checkouts;
  const resolve = new ResolvePaymentInstruction(queries, selecting(), urls, platform.clock);
  return presentInstruction(await resolve.resolve(sessionIdOf(charge), undefined));
}

async function payCents(cents: number): Promise<void> {
  checkouts.chain.mine(pay(charge, cents));
  await checkouts.follow();
}

describe('The token of a charge', () => {
  beforeEach(openCharge);

  it('requests the remaining amount after a partial payment, and all of it after a reorganization', async () => {
    const found = async () => (await checkouts.charges.find(checkouts.shop.organizationId, [charge.id]))[0]!;
    await payCents(400);

    const { payment, order } = payloadOf((await found()).token) as never as Record<
      'payment' | 'order',
      object
    >;
    checkouts.chain.removeNewestBlocks(1);
    checkouts.chain.mineEmpty(2);
    await checkouts.follow();

    expect(payment).toMatchObject({ id: charge.id, address: charge.address, amount: '6' });
    expect(order).toMatchObject({ total: '10', merchant: { name: 'Corner Coffee' } });
    expect((await found()).token).toBe(charge.token);
  });
});

describe('The page of a charge', () => {
  beforeEach(openCharge);

  it('returns the payment at its checkout URL, and the remaining amount after a partial payment', async () => {
    const whole = await walletAnswer();
    await payCents(400);

    expect(whole).toMatchObject({
      payment: { id: charge.id, address: charge.address, amount: '10', is_open: false },
      order: { total: '10', merchant: { name: 'Corner Coffee' } },
    });
    expect(await walletAnswer()).toMatchObject({ payment: { amount: '6' }, order: { total: '10' } });
  });
});

/** Checks and opens a charge, expects the same error from both, and returns it. */
async function refusalOfCharge(fields: Partial<ChargeRequestInput>, shop = checkouts.shop) {
  const input = checkouts.charge(fields, shop);
  const opening = await refusal(checkouts.charges.open(input));
  const checking = await refusal(checkouts.charges.preview(input));
  expect(checking).toEqual(opening);
  expect(await checkouts.countStored()).toBe(0);
  return opening;
}

describe('A charge that cannot be opened', () => {
  it('requires the minimum amount, a settlement address, and a network that is read and takes requests', async () => {
    await checkouts.platform.database.query('DELETE FROM payments.chain_cursors WHERE network = $1', [
      NETWORK,
    ]);
    const small = await refusalOfCharge({ amount: '0.009999' });
    const homeless = await refusalOfCharge({}, await checkouts.openShop({ terms: new Map() }));
    const unread = await refusalOfCharge({});
    checkouts.catalogue.taking = false;
    const closed = await refusalOfCharge({});

    expect(small.errors.map(({ field, rule }) => [field, rule])).toEqual([['amount', 'minimum_amount']]);
    expect([homeless.code, unread.kind, closed.kind]).toEqual([
      'settlement_address_missing',
      'unavailable',
      'unavailable',
    ]);
  });
});

describe('A physical point of sale', () => {
  it('rejects charges, and keeps the request at the till open', async () => {
    const till = await checkouts.openShop({ type: 'physical' });
    const customer = await checkouts.request({}, till);
    const input = checkouts.charge({}, till);

    const errors = [
      await refusal(checkouts.charges.open(input)),
      await refusal(checkouts.charges.preview(input)),
    ];

    expect(errors.map(({ code, message }) => [code, message])).toEqual(
      Array(2).fill([
        'state_conflict',
        expect.stringContaining('would end the payment in progress at a physical point of sale'),
      ]),
    );
    expect((await checkouts.read(customer)).expiresAt).toEqual(customer.expiresAt);
  });
});

describe('A charge that can be opened', () => {
  it('is checked without storing anything', async () => {
    const { organizationId, accountId, id: pointOfSaleId } = checkouts.shop;
    const scope = { organizationId, accountId: null };
    const uniqueAssetId = DOLLAR.uniqueAssetId.toLowerCase();

    const checked = await checkouts.charges.preview({ scope, pointOfSaleId, uniqueAssetId, amount: '12.50' });

    expect(checked).toMatchObject({
      ...{ organizationId, accountId, merchantName: 'Corner Coffee' },
      ...{ uniqueAssetId: DOLLAR.uniqueAssetId, network: NETWORK, amount: 12_500_000n },
    });
    expect(await checkouts.countStored()).toBe(0);
  });

  it('is checked and opened by the current point of sale, not by a cached copy', async () => {
    await checkouts.charges.open(checkouts.charge());
    await checkouts.pointsOfSale.change(checkouts.shop, { merchant: { name: 'Another name' } });

    const checked = await checkouts.charges.preview(checkouts.charge());
    await checkouts.pointsOfSale.change(checkouts.shop, { paymentOptions: [ETHER.uniqueAssetId] });
    const error = await refusal(checkouts.charges.open(checkouts.charge()));

    expect([checked.merchantName, error.errors[0]!.rule]).toEqual(['Another name', 'payment_option']);
  });
});
