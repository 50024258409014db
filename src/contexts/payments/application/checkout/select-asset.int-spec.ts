import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { refusal } from '../../testing/requests/open-payments.js';
import { DOLLAR, ETHER, EURO, NETWORK, OTHER_DOLLAR } from '../../testing/requests/collecting-world.js';
import { openCheckouts, type Checkouts } from '../../testing/checkout/open-checkouts.js';
import type { CheckoutView } from '../requests/payment-request-view.js';

let checkouts: Checkouts;
beforeEach(async () => {
  checkouts = await openCheckouts();
});
afterEach(async () => {
  await checkouts.close();
});

async function rowsOf({ id }: CheckoutView, table: string): Promise<object[]> {
  return checkouts.platform.database.query(`SELECT * FROM payments.${table} WHERE payment_request_id = $1`, [
    id,
  ]);
}

describe('Selecting an asset', () => {
  it('shows its address and its amount, and locks its rate with sources and time', async () => {
    const checkout = await checkouts.checkout();

    const selected = await checkouts.select(checkout, ETHER);

    expect(selected).toMatchObject({
      id: checkout.id,
      status: 'created',
      expiresAt: checkout.expiresAt,
      selected: {
        network: NETWORK,
        uniqueAssetId: ETHER.uniqueAssetId,
        amount: 3_980_400_507_899_105n,
        rate: { price: '2512.31', sources: ['kraken'], at: checkouts.rates.at },
        receivedAmount: 0n,
        transfers: [],
      },
    });
    expect(await checkouts.session(checkout)).toEqual(selected);
    expect(await checkouts.told(checkout)).toEqual(['pending', 'created']);
  });

  it('takes any spelling of the asset, and its repetition sends nothing but the look', async () => {
    const checkout = await checkouts.checkout();
    const first = await checkouts.select(checkout, DOLLAR);
    let again: CheckoutView | undefined;

    const statements = await checkouts.database.sentBy(async () => {
      again = await checkouts.selecting().execute(checkout.sessionId, DOLLAR.uniqueAssetId.toLowerCase());
    });

    expect([again, statements.length]).toEqual([first, 1]);
  });

  it('keeps address and rate of an asset that is chosen to and fro while the market moves', async () => {
    const checkout = await checkouts.checkout();
    const first = await checkouts.select(checkout, EURO);
    checkouts.rates.set('EURX', 'USD', '2.00');
    await checkouts.select(checkout, OTHER_DOLLAR);

    const again = await checkouts.select(checkout, EURO);

    expect(first.selected!.rate!.price).toBe('1.25');
    expect(again.selected).toEqual(first.selected);
    expect(await rowsOf(checkout, 'selections')).toHaveLength(2);
  });

  it('gives two assets of one network one address, and another network’s asset another', async () => {
    const checkout = await checkouts.checkout();

    const addresses = [];
    for (const asset of [DOLLAR, EURO, OTHER_DOLLAR])
      addresses.push((await checkouts.select(checkout, asset)).selected!.address);

    expect(addresses[0]).toBe(addresses[1]);
    expect(addresses[2]).not.toBe(addresses[0]);
    expect(await rowsOf(checkout, 'deposit_addresses')).toHaveLength(2);
  });

  it('asks for rates while no unit of work is open', async () => {
    const checkout = await checkouts.checkout();
    const open: number[] = [];
    checkouts.rates.beforeAnswer = () => void open.push(checkouts.database.unitsOpen);

    await checkouts.select(checkout, ETHER);

    expect(open).toEqual([0]);
  });

  it('commits to the terms of now where they were changed since they were remembered', async () => {
    const checkout = await checkouts.checkout();
    const before = await checkouts.select(checkout, DOLLAR);
    const terms = { ...checkouts.shop.terms.get(NETWORK)!, feeBasisPoints: 250 };
    const changed = new Map([...checkouts.shop.terms, [NETWORK, terms] as const]);

    await checkouts.pointsOfSale.change(checkouts.shop, { terms: changed });
    const after = await checkouts.select(checkout, EURO);

    const rows = (await rowsOf(checkout, 'deposit_addresses')) as {
      address: string;
      feeBasisPoints: number;
    }[];
    const fees = new Map(rows.map((row) => [row.address, row.feeBasisPoints]));
    expect(checkouts.pointsOfSale.forgotten).toBe(1);
    expect(fees.get(before.selected!.address.toLowerCase())).toBe(100);
    expect(fees.get(after.selected!.address.toLowerCase())).toBe(250);
  });

  it('tells that its point of sale keeps changing, and selects nothing', async () => {
    const checkout = await checkouts.checkout();
    await checkouts.pointsOfSale.change(checkouts.shop, { version: 'never current' });

    const error = await refusal(checkouts.select(checkout, DOLLAR));

    expect([error.code, (await checkouts.session(checkout))!.status]).toEqual(['state_conflict', 'pending']);
    expect(await rowsOf(checkout, 'deposit_addresses')).toEqual([]);
  });
});

describe('Selecting again what was selected before', () => {
  it.each<[string, () => unknown]>([
    ['rates are away', () => checkouts.rates.set('WETH', 'USD', null)],
    ['its amount is below the minimum by now', () => checkouts.rates.set('WETH', 'USD', '100000.01')],
    ['its network takes no requests', () => (checkouts.catalogue.taking = false)],
    ['terms have changed', () => checkouts.pointsOfSale.change(checkouts.shop, { terms: new Map() })],
    [
      'its point of sale no longer takes it',
      () => checkouts.pointsOfSale.change(checkouts.shop, { paymentOptions: [] }),
    ],
  ])('needs nothing but what is stored, though %s', async (_what, happen) => {
    const checkout = await checkouts.checkout();
    const first = await checkouts.select(checkout, ETHER);
    await checkouts.select(checkout, OTHER_DOLLAR);
    checkouts.rates.beforeAnswer = () => {
      throw new Error('A rate was asked for.');
    };
    await happen();

    const again = await checkouts.select(checkout, ETHER);

    expect(again.selected).toEqual({ ...first.selected, headNumber: again.selected!.headNumber });
    expect(await rowsOf(checkout, 'selections')).toHaveLength(2);
    expect(await rowsOf(checkout, 'deposit_addresses')).toHaveLength(2);
    expect(await checkouts.told(checkout)).toEqual(['pending', 'created']);
  });
});

describe('Selecting assets back and forth', () => {
  it('changes the asset 20 times, then rejects another one and still answers the present one', async () => {
    const checkout = await checkouts.checkout();
    const select = (n: number) => checkouts.select(checkout, [DOLLAR, EURO, OTHER_DOLLAR][n % 3]!);
    for (let n = 0; n < 20; n += 1) await select(n);
    const before = await checkouts.countStored();

    const refusals = [await refusal(select(20)), await refusal(checkouts.select(checkout, ETHER))];
    const present = await select(19);

    for (const { code, message } of refusals) {
      expect(code).toBe('state_conflict');
      expect(message).toContain(`remains EURX (${EURO.uniqueAssetId})`);
    }
    expect(present.selected!.uniqueAssetId).toBe(EURO.uniqueAssetId);
    expect(await checkouts.countStored()).toBe(before);
  });
});

describe('Selecting an asset many times at once', () => {
  it('the same leaves one address, one rate and one selection', async () => {
    const checkout = await checkouts.checkout();
    const instances = [checkouts.selecting(), checkouts.selecting()];
    let asked = 0;
    checkouts.rates.beforeAnswer = () => checkouts.rates.set('WETH', 'USD', `${2_000 + ++asked}`);

    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        instances[n % 2]!.execute(checkout.sessionId, ETHER.uniqueAssetId),
      ),
    );

    expect(asked).toBeGreaterThan(1);
    expect(new Set(answers.map(({ selected }) => selected!.address)).size).toBe(1);
    expect(new Set(answers.map(({ selected }) => selected!.rate!.price)).size).toBe(1);
    expect(await rowsOf(checkout, 'deposit_addresses')).toHaveLength(1);
    expect(await rowsOf(checkout, 'selections')).toHaveLength(1);
    expect(await checkouts.told(checkout)).toEqual(['pending', 'created']);
    const requests = 'SELECT version FROM payments.payment_requests WHERE id = $1';
    expect(await checkouts.database.query(requests, [checkout.id])).toEqual([{ version: 2 }]);
  });

  it('different ones leaves exactly one selected, and both addresses watched', async () => {
    const checkout = await checkouts.checkout();

    await Promise.all([DOLLAR, OTHER_DOLLAR].map((asset) => checkouts.select(checkout, asset)));

    const session = await checkouts.session(checkout);
    const chosen = [DOLLAR, OTHER_DOLLAR].map(({ uniqueAssetId }) => uniqueAssetId);
    expect(chosen).toContain(session!.selected!.uniqueAssetId);
    expect(await rowsOf(checkout, 'selections')).toHaveLength(2);
    expect(await rowsOf(checkout, 'deposit_addresses')).toHaveLength(2);
    expect(await checkouts.told(checkout)).toEqual(['pending', 'created']);
  });
});
