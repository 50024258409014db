import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { refusal, pay } from '../../testing/requests/open-payments.js';
import { DOLLAR, ETHER, EURO, NETWORK, OTHER_DOLLAR } from '../../testing/requests/collecting-world.js';
import { openCheckouts, type Checkouts } from '../../testing/checkout/open-checkouts.js';
import { CheckoutEndedError } from '../../domain/requests/asset-change-rule.js';
import type { CheckoutView } from '../requests/payment-request-view.js';

let checkouts: Checkouts;
beforeEach(async () => {
  checkouts = await openCheckouts();
});
afterEach(() => checkouts.close());

async function rowsOf({ id }: CheckoutView, table: string): Promise<object[]> {
  return checkouts.platform.database.query(`SELECT * FROM payments.${table} WHERE payment_request_id = $1`, [
    id,
  ]);
}

describe('Selecting an asset', () => {
  it('stores the address and the amount, and locks the rate with its sources and time', async () => {
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

  it('accepts any spelling of the asset id, and repeats a selection with one query', async () => {
    const checkout = await checkouts.checkout();
    const first = await checkouts.select(checkout, DOLLAR);
    let again: CheckoutView | undefined;

    const statements = await checkouts.database.sentBy(async () => {
      again = await checkouts.selecting().select(checkout.sessionId, DOLLAR.uniqueAssetId.toLowerCase());
    });

    expect([again, statements.length]).toEqual([first, 1]);
  });

  it('gives assets of one network one address, and each network its own', async () => {
    const checkout = await checkouts.checkout();

    const addresses = [];
    for (const asset of [DOLLAR, EURO, OTHER_DOLLAR])
      addresses.push((await checkouts.select(checkout, asset)).selected!.address);

    expect(addresses[0]).toBe(addresses[1]);
    expect(addresses[2]).not.toBe(addresses[0]);
    expect(await rowsOf(checkout, 'deposit_addresses')).toHaveLength(2);
  });

  it('queries rates outside of a unit of work', async () => {
    const checkout = await checkouts.checkout();
    const open: number[] = [];
    checkouts.rates.beforeAnswer = () => void open.push(checkouts.database.unitsOpen);

    await checkouts.select(checkout, ETHER);

    expect(open).toEqual([0]);
  });

  it('uses the current settlement terms if the cached ones are outdated', async () => {
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

  it('rejects the selection if the point of sale keeps changing', async () => {
    const checkout = await checkouts.checkout();
    await checkouts.pointsOfSale.change(checkouts.shop, { version: 'never current' });

    const error = await refusal(checkouts.select(checkout, DOLLAR));

    expect([error.code, (await checkouts.session(checkout))!.status]).toEqual(['state_conflict', 'pending']);
    expect(await rowsOf(checkout, 'deposit_addresses')).toEqual([]);
  });
});

describe('Selecting an earlier asset again', () => {
  it('needs nothing but stored data: no rate, minimum, network, terms or payment option', async () => {
    const checkout = await checkouts.checkout();
    const first = await checkouts.select(checkout, ETHER);
    await checkouts.select(checkout, OTHER_DOLLAR);
    checkouts.rates.beforeAnswer = () => {
      throw new Error('A rate was queried.');
    };
    checkouts.rates.set('WETH', 'USD', '100000.01');
    checkouts.catalogue.taking = false;
    await checkouts.pointsOfSale.change(checkouts.shop, { terms: new Map(), paymentOptions: [] });

    const again = await checkouts.select(checkout, ETHER);

    expect(again.selected).toEqual({ ...first.selected, headNumber: again.selected!.headNumber });
    expect(await rowsOf(checkout, 'selections')).toHaveLength(2);
    expect(await rowsOf(checkout, 'deposit_addresses')).toHaveLength(2);
    expect(await checkouts.told(checkout)).toEqual(['pending', 'created']);
  });
});

describe('Selecting assets back and forth', () => {
  it('allows 20 changes, then rejects another asset and still returns the present one', async () => {
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

describe('The selection of assets by concurrent callers', () => {
  it('stores one address, one rate and one selection for the same asset', async () => {
    const checkout = await checkouts.checkout();
    const instances = [checkouts.selecting(), checkouts.selecting()];
    let asked = 0;
    checkouts.rates.beforeAnswer = () => checkouts.rates.set('WETH', 'USD', `${2_000 + ++asked}`);

    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => instances[n % 2]!.select(checkout.sessionId, ETHER.uniqueAssetId)),
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

  it('leaves exactly one of two assets selected, and both addresses watched', async () => {
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

describe('An asset that cannot be selected', () => {
  it('is rejected with a list of the options, and not found for an unknown session', async () => {
    const checkout = await checkouts.checkout({}, await checkouts.shopFor(DOLLAR, EURO));
    for (const id of [OTHER_DOLLAR.uniqueAssetId, 'nnowhere_t0x0', `${'x'.repeat(10_000)}\0`]) {
      const { errors, message } = await refusal(checkouts.selecting().select(checkout.sessionId, id));
      expect(errors.map(({ field, rule }) => [field, rule])).toEqual([['unique_asset_id', 'payment_option']]);
      expect(message).toContain(`${DOLLAR.uniqueAssetId}, ${EURO.uniqueAssetId}`);
    }
    checkouts.catalogue.withdrawn = [EURO];
    const withdrawn = await refusal(checkouts.select(checkout, EURO));
    const unknown = await refusal(checkouts.selecting().select('A'.repeat(32), DOLLAR.uniqueAssetId));

    expect([withdrawn.errors[0]!.rule, unknown.code]).toEqual(['payment_option', 'not_found']);
    expect((await checkouts.session(checkout))!.status).toBe('pending');
  });

  it('changes nothing if it has no price, is below its minimum, or its network takes no requests', async () => {
    const checkout = await checkouts.checkout();
    const codes: string[] = [];
    for (const price of [null, '100000.01']) {
      checkouts.rates.set('WETH', 'USD', price);
      codes.push((await refusal(checkouts.select(checkout, ETHER))).code);
    }
    checkouts.rates.set('WETH', 'USD', '100000');
    checkouts.catalogue.taking = false;
    codes.push((await refusal(checkouts.select(checkout, ETHER))).code);
    checkouts.catalogue.taking = true;
    await checkouts.platform.database.query('DELETE FROM payments.chain_cursors WHERE network = $1', [
      NETWORK,
    ]);
    codes.push((await refusal(checkouts.select(checkout, ETHER))).code);

    expect(codes).toEqual(['rate_unavailable', 'validation_failed', 'unavailable', 'unavailable']);
    expect((await checkouts.session(checkout))!.status).toBe('pending');
    expect(await rowsOf(checkout, 'selections')).toEqual([]);
  });

  it('is rejected if a payment is detected while the rate is queried', async () => {
    const checkout = await checkouts.checkout();
    const { selected } = await checkouts.select(checkout, DOLLAR);
    checkouts.rates.beforeAnswer = async () => {
      checkouts.chain.mine(pay(selected!, 1));
      await checkouts.follow();
    };

    const error = await refusal(checkouts.select(checkout, EURO));

    expect([error.code, (await checkouts.session(checkout))!.status]).toEqual([
      'state_conflict',
      'processing',
    ]);
    expect(await rowsOf(checkout, 'selections')).toHaveLength(1);
  });

  it('is rejected after the end of the window, even before the session is marked as expired', async () => {
    const [checkout, chosen] = [await checkouts.checkout(), await checkouts.checkout()];
    await checkouts.select(chosen, ETHER);
    await checkouts.select(chosen, EURO);
    await checkouts.platform.advance(481);

    const errors = [
      await refusal(checkouts.select(checkout, DOLLAR)),
      await refusal(checkouts.select(chosen, ETHER)),
    ];

    expect(errors.map(({ kind, code }) => [kind, code])).toEqual(
      Array(2).fill(['conflict', 'state_conflict']),
    );
    expect((await checkouts.session(chosen))!.selected!.currency).toBe('EURX');
    await checkouts.expireUnselected.expire();
    await checkouts.platform.advance(600);
    checkouts.chain.mineAt(await checkouts.platform.clock.now());
    await checkouts.follow();
    expect(await refusal(checkouts.select(chosen, EURO))).toBeInstanceOf(CheckoutEndedError);
  });

  it('is rejected once a payment in any asset was detected', async () => {
    const checkout = await checkouts.checkout();
    const { selected } = await checkouts.select(checkout, ETHER);
    await checkouts.select(checkout, EURO);
    checkouts.chain.mine({ ...pay(selected!, 0, ETHER.token), amount: ETHER.minimumAmount });
    await checkouts.follow();

    const error = await refusal(checkouts.select(checkout, EURO));

    expect([error.kind, error.code]).toEqual(['conflict', 'state_conflict']);
    expect((await checkouts.session(checkout))!.selected!.currency).toBe('WETH');
  });
});
