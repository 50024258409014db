import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { OUTPUT_NETWORK, OUTPUT_COIN } from '#contexts/networks/testing/output-chain-type.js';
import { newId, type CredentialId } from '#shared/kernel/ids.js';
import { IdempotencyKeyTaken } from '#shared/kernel/idempotent-creation.js';
import { MAX_NASPIP_TOKEN_LENGTH } from '#shared/naspip/naspip-token.js';
import { AddressNumbers } from '../../infrastructure/requests/persistence/address-numbers.js';
import {
  DOLLAR,
  SmallCatalogue,
  walletTerms,
  CONFIRMATIONS,
  NETWORK,
  someTerms,
} from '../../testing/requests/collecting-world.js';
import { refusal, pay } from '../../testing/requests/open-payments.js';
import { createDataSource } from '#shared/platform/database/data-source.js';
import type { PaymentPointOfSale } from '#contexts/point-of-sale/contract/points-of-sale.js';
import { ObservedDatabase } from '../../testing/requests/observed-database.js';
import { openCheckouts } from '../../testing/checkout/open-checkouts.js';
import { HashedOrWalletAddresses } from '../../testing/requests/hashed-addresses.js';
import type { CheckoutView } from './payment-request-view.js';
import { LinkSettings } from '../links/limit-link-openings.js';
import { numberedAddressesInvariants } from '../../infrastructure/requests/persistence/invariants/numbered-addresses-invariants.js';
import { openPaymentLinks } from '../../testing/open-payment-links.js';

const addressOf = (wallet: string, number: number) =>
  new HashedOrWalletAddresses()
    .find(OUTPUT_NETWORK)
    .depositAddresses.derive(walletTerms(wallet), { requestId: '', number }).address;

/** Opens payments and links of a shop that receives funds directly in its own wallet `OWN`. */
async function openWalletPayments() {
  const bench = await openPaymentLinks(
    new LinkSettings(),
    CONFIRMATIONS,
    SmallCatalogue.withWallets(),
    new HashedOrWalletAddresses(),
  );
  await bench.follow();
  await bench.follow(OUTPUT_NETWORK);
  const openShop = (wallet: string, fields: Partial<PaymentPointOfSale> = {}) =>
    bench.pointsOfSale.open({
      paymentOptions: [OUTPUT_COIN.uniqueAssetId],
      terms: new Map([
        [OUTPUT_NETWORK, walletTerms(wallet)],
        [NETWORK, someTerms(NETWORK)],
      ]),
      ...fields,
    });
  const shop = await openShop('OWN');

  return {
    ...bench,
    shop,
    openShop,

    requestCoins: (point = shop, more: object = {}) =>
      bench.request({ uniqueAssetId: OUTPUT_COIN.uniqueAssetId, amount: '0.01', ...more }, point),

    /** The numbers that were taken, by wallet, and the next one of each. */
    async numbers() {
      const rows = await bench.database.query<{ numbering: string; taken: number[]; next: number }>(
        `SELECT n.numbering, array_agg(a.number ORDER BY a.number) AS taken, n.next_number AS next
         FROM payments.address_numbers n LEFT JOIN (SELECT numbering_id, number FROM payments.deposit_addresses
           UNION ALL SELECT numbering_id, number FROM payments.pruned_addresses) a ON a.numbering_id = n.id
         GROUP BY n.numbering, n.next_number ORDER BY n.numbering`,
      );
      return Object.fromEntries(rows.map(({ numbering, taken, next }) => [numbering, { taken, next }]));
    },

    /** Names of the invariants that do not hold then. The tampering is undone. */
    async breachesAfter(tampering: string): Promise<string[]> {
      const found: string[] = [];
      const undone = new Error('undone');
      const tampered = bench.database.run(async () => {
        await bench.database.query(tampering);
        for (const { name, breaches } of numberedAddressesInvariants)
          if ((await bench.database.query(breaches)).length > 0) found.push(name);
        throw undone;
      });
      await expect(tampered).rejects.toBe(undone);
      return found;
    },
  };
}

type WalletPayments = Awaited<ReturnType<typeof openWalletPayments>>;

let bench: WalletPayments;
beforeEach(async () => {
  bench = await openWalletPayments();
});
afterEach(() => bench.close());

describe('A numbered address', () => {
  it('is the next one of the wallet for all points of sale that share the wallet', async () => {
    const other = await bench.openShop('OWN', { organizationId: bench.shop.organizationId });

    const created = [await bench.requestCoins(), await bench.requestCoins(other), await bench.requestCoins()];

    expect(created.map(({ address }) => address)).toEqual([0, 1, 2].map((n) => addressOf('OWN', n)));
    const [locked] = await bench.database.run(() => bench.requests.lock([created[1]!.id]));
    expect(locked!.selected!.depositAddress).toMatchObject({
      number: 1,
      isDelivered: true,
      derivation: { wallet: 'wallet(OWN)' },
    });
    expect(await bench.numbers()).toEqual({ 'wallet(OWN)': { taken: [0, 1, 2], next: 3 } });
  });

  it('returns its number if the creation fails: outdated shop, oversized order, closed network or used key', async () => {
    await bench.requestCoins();
    await bench.pointsOfSale.change(bench.shop, {});

    const second = await bench.requestCoins();
    await refusal(
      bench.requestCoins(bench.shop, {
        referenceId: 'r'.repeat(4_000),
        order: { description: 'd'.repeat(MAX_NASPIP_TOKEN_LENGTH) },
      }),
    );
    bench.catalogue.taking = false;
    await refusal(bench.requestCoins());
    bench.catalogue.taking = true;
    const idempotency = {
      ...{
        credentialId: newId<CredentialId>(),
        key: 'order-7',
        operation: 'POST',
        requestDigest: new Uint8Array(32),
      },
      ...{ executionId: newId<string>(), at: await bench.platform.clock.now() },
      answerOf: ({ id }: { id: string }) => ({ objectId: id, answer: '{}' }),
    };
    const third = await bench.requestCoins(bench.shop, { idempotency });
    await expect(
      bench.requestCoins(bench.shop, { idempotency: { ...idempotency, executionId: newId<string>() } }),
    ).rejects.toThrow(IdempotencyKeyTaken);

    expect([second, third].map(({ address }) => address)).toEqual([1, 2].map((n) => addressOf('OWN', n)));
    expect(await bench.numbers()).toEqual({ 'wallet(OWN)': { taken: [0, 1, 2], next: 3 } });
  });

  it('belongs to one organization only', async () => {
    const stranger = await bench.openShop('OWN');
    await bench.requestCoins();

    const refused = await refusal(bench.requestCoins(stranger));

    expect(refused).toMatchObject({ code: 'state_conflict' });
    expect(refused.message).toContain('another organization');
    expect(await bench.numbers()).toEqual({ 'wallet(OWN)': { taken: [0], next: 1 } });
  });

  it('counts as open until its request ends', async () => {
    const [first] = [await bench.requestCoins(), await bench.requestCoins()];
    const numbers = new AddressNumbers(bench.database);
    const open = () =>
      numbers.countOpen({ network: OUTPUT_NETWORK, numbering: 'wallet(OWN)' } as never, undefined);
    const before = await open();
    const undone = new Error('undone');

    const ended = bench.database.run(async () => {
      await bench.database.query(`UPDATE payments.payment_requests SET status = 'expired' WHERE id = $1`, [
        first!.id,
      ]);
      expect([before.count, (await open()).count]).toEqual([2, 1]);
      throw undone;
    });

    await expect(ended).rejects.toBe(undone);
  });

  it('has a number that no statement can repeat, skip or delete', async () => {
    await bench.requestCoins();
    await bench.requestCoins();

    for (const sql of [
      'UPDATE payments.address_numbers SET next_number = 1',
      'UPDATE payments.address_numbers SET next_number = next_number + 2',
      'DELETE FROM payments.address_numbers',
    ])
      await expect(bench.database.query(sql)).rejects.toThrow(/goes on from|append-only/);
  });
});

describe('The check of the invariants of numbered addresses', () => {
  it('detects wrong and missing numbers, wallets and organizations', async () => {
    await bench.requestCoins();
    await bench.requestCoins();

    for (const change of [
      'number = 7 WHERE number = 1',
      'number = NULL, numbering_id = NULL WHERE number = 1',
      'numbering_id = 77 WHERE number = 1',
    ])
      expect(await bench.breachesAfter(`UPDATE payments.deposit_addresses SET ${change}`)).toEqual([
        'numbers-are-gapless',
      ]);
    const moved = 'UPDATE payments.deposit_addresses SET organization_id = gen_random_uuid()';
    expect(await bench.breachesAfter(moved)).toEqual(['numbered-addresses-are-of-one-organization']);
  });
});

describe('The numbering for 64 creators on two wallets, whose connections are cut repeatedly', () => {
  it('uses every number exactly once', async () => {
    const other = await bench.openShop('OTHER');
    const options = { poolSize: 8, applicationName: 'creator', onPoolError: () => undefined };
    const dataSource = await createDataSource({ databaseUrl: bench.platform.url, ...options }).initialize();
    const database = new ObservedDatabase(dataSource);
    const creator = bench.processOn(database);
    let answered = 0;
    let cut = 0;
    let most = 0;
    database.afterStatement = async (text) => {
      // One unit of work for each wallet: the other creators wait without a connection.
      most = Math.max(most, database.unitsOpen);
      if (text.includes('pg_terminate_backend') || (answered += 1) % 5 !== 0) return;
      cut += 1;
      await database.query('SELECT pg_terminate_backend(pg_backend_pid())');
    };
    const create = async (point: PaymentPointOfSale): Promise<void> => {
      const created = await creator
        .create({
          scope: { organizationId: point.organizationId, accountId: null },
          pointOfSaleId: point.id,
          amount: '0.01',
          uniqueAssetId: OUTPUT_COIN.uniqueAssetId,
          at: await bench.platform.clock.now(),
        })
        .catch(() => null);
      return created === null ? create(point) : undefined;
    };

    await Promise.all(Array.from({ length: 64 }, (_, i) => create(i % 2 === 0 ? bench.shop : other)));
    await dataSource.destroy();

    const all = Array.from({ length: 32 }, (_, number) => number);
    expect(most).toBeLessThanOrEqual(2);
    expect(cut).toBeGreaterThan(16);
    expect(await bench.numbers()).toEqual({
      'wallet(OTHER)': { taken: all, next: 32 },
      'wallet(OWN)': { taken: all, next: 32 },
    });
  });
});

const offerBoth = () =>
  bench.pointsOfSale.change(bench.shop, {
    paymentOptions: [DOLLAR.uniqueAssetId, OUTPUT_COIN.uniqueAssetId],
  });

describe('The numbered address of a checkout', () => {
  const payerSecret = 'n'.repeat(32);
  const opened = async () => {
    const { code } = await bench.link({}, bench.shop);
    const session = await bench.openLink.open({
      code,
      payerSecret,
      forceNew: false,
      caller: '203.0.113.7',
    });
    return { code, session };
  };
  it('is assigned once when two processes select the asset concurrently and repeatedly', async () => {
    await offerBoth();
    const { code } = await opened();
    const replica = await bench.replica();
    const select = (by: typeof replica, { uniqueAssetId }: typeof OUTPUT_COIN) =>
      by.selectForLink.select(code, payerSecret, uniqueAssetId);

    const both = await Promise.all([select(bench, OUTPUT_COIN), select(replica, OUTPUT_COIN)]);
    await select(bench, DOLLAR);
    const again = await select(bench, OUTPUT_COIN);

    const shown = [...both, again].map(({ selected }) => selected!.address);
    expect(shown).toEqual(shown.map(() => addressOf('OWN', 0)));
    expect(await bench.numbers()).toEqual({ 'wallet(OWN)': { taken: [0], next: 1 } });
  });

  it('keeps its number while the session is pruned and when a payment restores it', async () => {
    const { session } = await opened();
    const stored = () =>
      bench.database.query(
        `SELECT number, delivered, derivation FROM payments.known_addresses WHERE payment_request_id = $1`,
        [session.id],
      );
    const pass = async (seconds: number) => {
      await bench.platform.advance(seconds);
      bench.chainOf(OUTPUT_NETWORK).mineAt(await bench.platform.clock.now());
      await bench.follow(OUTPUT_NETWORK);
    };
    await pass(600);
    const before = await stored();
    await pass(168 * 3_600);
    await bench.prune.prune();
    const broken = await bench.breachesAfter('SELECT');
    const whilePruned = [await stored(), await bench.count('payment_requests'), await bench.numbers()];
    await bench.requestCoins();

    bench.chainOf(OUTPUT_NETWORK).mine(pay(session.selected!, 1, OUTPUT_COIN.token));
    bench.chainOf(OUTPUT_NETWORK).mineEmpty(5);
    await bench.follow(OUTPUT_NETWORK);

    expect(before).toEqual([{ number: 0, delivered: true, derivation: { wallet: 'wallet(OWN)' } }]);
    expect(broken).toEqual([]);
    expect(whilePruned).toEqual([before, 0, { 'wallet(OWN)': { taken: [0], next: 1 } }]);
    expect(await stored()).toEqual(before);
    expect(await bench.count('payment_requests')).toBe(2);
    expect(await bench.numbers()).toEqual({ 'wallet(OWN)': { taken: [0, 1], next: 2 } });
  });
});

describe('A wallet with unpaid numbered addresses', () => {
  let payers = 0;
  let code: string;
  const someone = (caller: string) => ({
    code,
    payerSecret: `${(payers += 1)}`.padStart(32, 's'),
    forceNew: false,
    caller,
  });
  const open = (caller: string, by: Pick<WalletPayments, 'openLink'> = bench) =>
    by.openLink.open(someone(caller));
  const select = async (caller: string) => {
    const payer = someone(caller);
    await bench.openLink.open(payer);
    return bench.selectForLink.select(code, payer.payerSecret, OUTPUT_COIN.uniqueAssetId);
  };
  const taken = async () => (await bench.numbers())['wallet(OWN)']!.next;
  const receive = async (session: CheckoutView) => {
    bench.chainOf(OUTPUT_NETWORK).mine(pay(session.selected!, 1, OUTPUT_COIN.token));
    await bench.follow(OUTPUT_NETWORK);
  };
  beforeEach(async () => {
    ({ code } = await bench.link({}, bench.shop));
  });

  it('limits each caller to ten addresses until one of them is paid', async () => {
    const replica = await bench.replica();
    const answers = await Promise.allSettled(
      Array.from({ length: 16 }, (_, n) => open('203.0.113.7', n % 2 ? replica : bench)),
    );
    const shown = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    const other = await open('203.0.113.8');

    expect([shown.length, await taken()]).toEqual([10, 11]);
    await expect(open('203.0.113.7')).rejects.toMatchObject({ code: 'rate_limited' });

    await receive(other);
    expect((await open('203.0.113.7')).status).toBe('created');
  });

  it('offers no address beyond the gap limit if there are other assets', async () => {
    await offerBoth();
    const chosen = someone('192.0.2.1');
    await bench.openLink.open(chosen);
    for (let n = 0; n < 20; n += 1) await select(`198.51.100.${n >> 2}`);

    const { offered } = await bench.readLink.read(code, undefined);
    const session = await open('192.0.2.2');
    const selecting = bench.selectForLink.select(code, chosen.payerSecret, OUTPUT_COIN.uniqueAssetId);

    expect(offered!.options.map(({ asset }) => asset.symbol)).toEqual([DOLLAR.symbol]);
    expect([session.status, session.paymentOptions]).toEqual(['created', [DOLLAR.uniqueAssetId]]);
    await expect(selecting).rejects.toMatchObject({ code: 'unavailable' });
    expect(await taken()).toBe(20);
  });

  it('offers more addresses after a payment, and always for requests of the merchant', async () => {
    await offerBoth();
    for (let n = 0; n < 19; n += 1) await select(`198.51.100.${n >> 2}`);
    const newest = await select('192.0.2.1');

    await bench.requestCoins();
    await receive(newest);

    expect(await taken()).toBe(21);
    expect((await open('192.0.2.2')).paymentOptions).toContain(OUTPUT_COIN.uniqueAssetId);
    expect((await select('192.0.2.3')).selected!.address).toBe(addressOf('OWN', 21));
  });

  it('exceeds the gap limit if the page has no other asset', async () => {
    for (let n = 0; n < 21; n += 1) await open(`198.51.100.${n >> 2}`);

    expect(await taken()).toBe(21);
  });
});

describe('The numbered address of a charge', () => {
  it('is assigned once when the charge is opened, not when it is checked', async () => {
    const checkouts = await openCheckouts(SmallCatalogue.withWallets(), new HashedOrWalletAddresses());
    await checkouts.follow(OUTPUT_NETWORK);
    const own = await checkouts.openShop({
      paymentOptions: [OUTPUT_COIN.uniqueAssetId],
      terms: new Map([[OUTPUT_NETWORK, walletTerms('OWN')]]),
    });
    const charge = checkouts.charge({ uniqueAssetId: OUTPUT_COIN.uniqueAssetId, amount: '0.01' }, own);

    const checked = await checkouts.charges.preview(charge);
    const left = await checkouts.database.query('SELECT FROM payments.address_numbers');
    const opened = [await checkouts.charges.open(charge), await checkouts.charges.open(charge)];
    const taken = await checkouts.database.query('SELECT next_number FROM payments.address_numbers');
    await checkouts.close();

    expect([checked.amount, left]).toEqual([1_000_000n, []]);
    expect(opened.map(({ address }) => address)).toEqual([addressOf('OWN', 0), addressOf('OWN', 0)]);
    expect(taken).toEqual([{ nextNumber: 1 }]);
  });
});
