import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '#shared/kernel/ids.js';
import { openCheckouts, type Checkouts } from '../../testing/checkout/open-checkouts.js';
import { DOLLAR, ETHER, NETWORK } from '../../testing/requests/collecting-world.js';
import { refusal } from '../../testing/requests/open-payments.js';

let checkouts: Checkouts;
beforeEach(async () => {
  checkouts = await openCheckouts();
});
afterEach(() => checkouts.close());

/** How many requests, sessions and events there are. */
async function stored(): Promise<number[]> {
  const [row] = await checkouts.platform.database.query<{ counts: number[] }>(
    `SELECT ARRAY[(SELECT count(*) FROM payments.payment_requests), (SELECT count(*) FROM payments.checkouts),
       (SELECT count(*) FROM platform.events)]::int[] AS counts`,
  );
  return row!.counts;
}

describe('Opening a charge', () => {
  it('stores a request in its asset under the given id, with a session, from the time of the clock', async () => {
    const before = await checkouts.platform.clock.now();
    const input = checkouts.charge({ amount: '0.25', uniqueAssetId: ETHER.uniqueAssetId.toLowerCase() });

    const charge = await checkouts.charges.open(input);

    const session = await checkouts.session({ sessionId: charge.hostedCheckoutUrl.split('/').at(-1)! });
    expect(charge).toMatchObject({
      id: input.id,
      status: 'created',
      uniqueAssetId: ETHER.uniqueAssetId,
      network: NETWORK,
      currency: 'WETH',
      decimals: 18,
      amount: 25n * 10n ** 16n,
      receivedAmount: 0n,
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
    expect([await checkouts.told(charge), await stored()]).toEqual([['created'], [1, 1, 1]]);
  });

  it('sends two statements besides the look at the clock, once the point of sale is known', async () => {
    await checkouts.charges.open(checkouts.charge());

    const statements = await checkouts.database.sentBy(() => checkouts.charges.open(checkouts.charge()));

    expect(statements).toHaveLength(2);
  });

  it('returns the payer to the address of its point of sale', async () => {
    const shop = await checkouts.openShop({ returnUrl: 'https://shop.example/back' });
    const charge = checkouts.charge({}, shop);
    await checkouts.charges.open(charge);

    const [session] = await checkouts.queries.ofRequests(shop.organizationId, [charge.id]);

    expect(session!.returnUrl).toBe('https://shop.example/back');
  });
});

describe('Opening a charge again', () => {
  it('answers the request that the id has opened, by one statement', async () => {
    const input = checkouts.charge();
    const first = await checkouts.charges.open(input);
    await checkouts.platform.advance(60);
    let again: unknown;

    const statements = await checkouts.database.sentBy(async () => {
      again = await checkouts.charges.open({ ...input, amount: '11.00' });
    });

    expect([again, statements.length, await stored()]).toEqual([first, 1, [1, 1, 1]]);
  });

  it('answers it also where the answer to the first was lost after it was stored', async () => {
    const input = checkouts.charge();
    checkouts.database.afterStatement = (text) => {
      if (text.includes('INSERT INTO payments.payment_requests')) throw new Error('The process was killed.');
    };
    await expect(checkouts.charges.open(input)).rejects.toThrow('killed');
    checkouts.database.afterStatement = () => undefined;

    const charge = await checkouts.charges.open(input);

    expect([charge.id, await stored()]).toEqual([input.id, [1, 1, 1]]);
  });

  it('answers it where its point of sale would refuse it now', async () => {
    const input = checkouts.charge();
    const first = await checkouts.charges.open(input);
    await checkouts.pointsOfSale.change(checkouts.shop, { paymentOptions: [], type: 'physical' });
    checkouts.pointsOfSale.forget(checkouts.shop.id);
    checkouts.catalogue.taking = false;

    expect(await checkouts.charges.open(input)).toEqual(first);
  });

  it('makes one request and one event of a hundred at once, and all are answered the same', async () => {
    const input = checkouts.charge();

    const answers = await Promise.all(Array.from({ length: 100 }, () => checkouts.charges.open(input)));

    expect(answers).toEqual(Array(100).fill(answers[0]));
    expect(await stored()).toEqual([1, 1, 1]);
  });

  it('is not_found for another organization, and for another account of the same', async () => {
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
    expect(await stored()).toEqual([1, 1, 1]);
  });
});

describe('Finding charges', () => {
  it('answers those of the organization as they stand, by one statement', async () => {
    const inputs = [checkouts.charge(), checkouts.charge()];
    const [paid, open] = [await checkouts.charges.open(inputs[0]!), await checkouts.charges.open(inputs[1]!)];
    const strangers = await checkouts.openShop();
    const theirs = await checkouts.charges.open(checkouts.charge({}, strangers));
    checkouts.chain.mine({ to: paid.address, amount: paid.amount, token: DOLLAR.token });
    checkouts.chain.mineEmpty(2);
    await checkouts.follow();
    const ids = [paid.id, theirs.id, open.id, newId<never>()];
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

  it('leaves out a checkout whose payer is to choose', async () => {
    const { id, organizationId } = await checkouts.checkout();

    expect(await checkouts.charges.find(organizationId, [id])).toEqual([]);
  });
});
