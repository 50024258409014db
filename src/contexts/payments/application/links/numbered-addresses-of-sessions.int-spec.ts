import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { OUTPUT_COIN, OUTPUT_NETWORK } from '#contexts/networks/testing/output-family.js';
import { openCheckouts } from '../../testing/checkout/open-checkouts.js';
import {
  addressOf,
  openWalletPayments,
  type WalletPayments,
} from '../../testing/links/open-wallet-payments.js';
import { DOLLAR, SmallCatalogue, walletTerms } from '../../testing/requests/collecting-world.js';
import { HashedOrWalletAddresses } from '../../testing/requests/hashed-addresses.js';
import type { CheckoutView } from '../requests/payment-request-view.js';
import { pay } from '../../testing/requests/open-payments.js';

let bench: WalletPayments;
beforeEach(async () => {
  bench = await openWalletPayments();
});
afterEach(() => bench.close());

describe('The numbered address of a checkout', () => {
  const payerSecret = 'n'.repeat(32);
  const opened = async () => {
    const { code } = await bench.link({}, bench.shop);
    const session = await bench.openLink.execute({
      code,
      payerSecret,
      forceNew: false,
      caller: '203.0.113.7',
    });
    return { code, session };
  };
  const bothAssets = () =>
    bench.pointsOfSale.change(bench.shop, {
      paymentOptions: [DOLLAR.uniqueAssetId, OUTPUT_COIN.uniqueAssetId],
    });

  it('is there from creation where the payer has no choice', async () => {
    const { session } = await opened();

    expect(session.selected!.address).toBe(addressOf('OWN', 0));
  });

  it('is taken once, however often and by how many the asset is selected', async () => {
    await bothAssets();
    const { code } = await opened();
    const replica = await bench.replica();
    const select = (by: typeof replica, { uniqueAssetId }: typeof OUTPUT_COIN) =>
      by.selectForLink.execute(code, payerSecret, uniqueAssetId);

    const both = await Promise.all([select(bench, OUTPUT_COIN), select(replica, OUTPUT_COIN)]);
    await select(bench, DOLLAR);
    const again = await select(bench, OUTPUT_COIN);

    const shown = [...both, again].map(({ selected }) => selected!.address);
    expect(shown).toEqual(shown.map(() => addressOf('OWN', 0)));
    expect(await bench.numbers()).toEqual({ 'wallet(OWN)': { taken: [0], next: 1 } });
  });

  it('keeps its number while the session is pruned, and when money makes it again', async () => {
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
    await bench.prune.execute();
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

describe('The addresses of a wallet that strangers ask for', () => {
  let payers = 0;
  let code: string;
  const someone = (caller: string) => ({
    code,
    payerSecret: `${(payers += 1)}`.padStart(32, 's'),
    forceNew: false,
    caller,
  });
  const open = (caller: string, by: Pick<WalletPayments, 'openLink'> = bench) =>
    by.openLink.execute(someone(caller));
  const select = async (caller: string) => {
    const payer = someone(caller);
    await bench.openLink.execute(payer);
    return bench.selectForLink.execute(code, payer.payerSecret, OUTPUT_COIN.uniqueAssetId);
  };
  const taken = async () => (await bench.numbers())['wallet(OWN)']!.next;
  const offerBoth = () =>
    bench.pointsOfSale.change(bench.shop, {
      paymentOptions: [DOLLAR.uniqueAssetId, OUTPUT_COIN.uniqueAssetId],
    });
  const receive = async (session: CheckoutView) => {
    bench.chainOf(OUTPUT_NETWORK).mine(pay(session.selected!, 1, OUTPUT_COIN.token));
    await bench.follow(OUTPUT_NETWORK);
  };
  beforeEach(async () => {
    ({ code } = await bench.link({}, bench.shop));
  });

  it('are ten for one caller, until one of them is paid', async () => {
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

  it('are not shown beyond the gap limit where there are other assets', async () => {
    await offerBoth();
    const chosen = someone('192.0.2.1');
    await bench.openLink.execute(chosen);
    for (let n = 0; n < 20; n += 1) await select(`198.51.100.${n >> 2}`);

    const { offered } = await bench.readLink.execute(code, undefined);
    const session = await open('192.0.2.2');
    const selecting = bench.selectForLink.execute(code, chosen.payerSecret, OUTPUT_COIN.uniqueAssetId);

    expect(offered!.options.map(({ asset }) => asset.symbol)).toEqual([DOLLAR.symbol]);
    expect([session.status, session.paymentOptions]).toEqual(['created', [DOLLAR.uniqueAssetId]]);
    await expect(selecting).rejects.toMatchObject({ code: 'unavailable' });
    expect(await taken()).toBe(20);
  });

  it('are shown again once one was paid, and at any time for requests that the merchant makes', async () => {
    await offerBoth();
    for (let n = 0; n < 19; n += 1) await select(`198.51.100.${n >> 2}`);
    const newest = await select('192.0.2.1');

    await bench.requestCoins();
    await receive(newest);

    expect(await taken()).toBe(21);
    expect((await open('192.0.2.2')).paymentOptions).toContain(OUTPUT_COIN.uniqueAssetId);
    expect((await select('192.0.2.3')).selected!.address).toBe(addressOf('OWN', 21));
  });

  it('are shown beyond the gap limit by a page without another asset', async () => {
    for (let n = 0; n < 21; n += 1) await open(`198.51.100.${n >> 2}`);

    expect(await taken()).toBe(21);
  });
});

describe('The numbered address of a charge', () => {
  it('is taken once by what opens it, and by nothing that checks whether it could be opened', async () => {
    const checkouts = await openCheckouts(SmallCatalogue.withWallets(), new HashedOrWalletAddresses());
    await checkouts.follow(OUTPUT_NETWORK);
    const own = await checkouts.openShop({
      paymentOptions: [OUTPUT_COIN.uniqueAssetId],
      terms: new Map([[OUTPUT_NETWORK, walletTerms('OWN')]]),
    });
    const charge = checkouts.charge({ uniqueAssetId: OUTPUT_COIN.uniqueAssetId, amount: '0.01' }, own);

    const checked = await checkouts.charges.check(charge);
    const left = await checkouts.database.query('SELECT FROM payments.address_numbers');
    const opened = [await checkouts.charges.open(charge), await checkouts.charges.open(charge)];
    const taken = await checkouts.database.query('SELECT next_number FROM payments.address_numbers');
    await checkouts.close();

    expect([checked.amount, left]).toEqual([1_000_000n, []]);
    expect(opened.map(({ address }) => address)).toEqual([addressOf('OWN', 0), addressOf('OWN', 0)]);
    expect(taken).toEqual([{ nextNumber: 1 }]);
  });
});
