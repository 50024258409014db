import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { CollectingPoint } from '#contexts/point-of-sale/contract/points-of-sale.js';
import { openPaymentLinks } from '../../testing/links/open-payment-links.js';
import { DOLLAR } from '../../testing/requests/collecting-world.js';
import { pay } from '../../testing/requests/open-payments.js';
import { PostgresTillRequests } from '../../infrastructure/till-codes/persistence/postgres-till-requests.js';
import type { TypedAmount } from './pay-typed-amount.js';

type Bench = Awaited<ReturnType<typeof openPaymentLinks>>;

let bench: Bench;
let till: CollectingPoint;

beforeAll(async () => {
  bench = await openPaymentLinks();
  // The network is read, so requests can be created on it.
  await bench.follow();
});
beforeEach(async () => {
  till = await bench.pointsOfSale.open({ type: 'physical', openAmount: true });
});
// No ledger runs here.
afterAll(() => bench.close(['ledger-confirmed-posted-once']));

const shown = async () => (await bench.readTillCode.execute(till.id)).shown;

const cashier = async (amount = '10') =>
  bench.createCheckout.execute({
    scope: till,
    pointOfSaleId: till.id,
    amount,
    coinCode: DOLLAR.symbol,
    at: await bench.platform.clock.now(),
  });

const type = (input: Partial<TypedAmount> = {}, on: Pick<Bench, 'payTypedAmount'> = bench) =>
  on.payTypedAmount.execute({
    code: till.id,
    amount: '5',
    coinCode: DOLLAR.symbol,
    caller: '203.0.113.7',
    ...input,
  });

const windowOf = async (request: Parameters<Bench['read']>[0]) => (await bench.read(request)).expiresAt;

describe('The code of a till', () => {
  it('shows the newest request that the cashier has made, until something was paid to it', async () => {
    expect(await shown()).toBeUndefined();

    await cashier('10');
    const session = await cashier('12');
    expect(await shown()).toMatchObject({ session: { id: session.id, amount: '12' }, isDirect: false });

    bench.chain.mine(pay({ ...session, ...session.selected! }, 500));
    await bench.follow();
    expect(await shown()).toBeUndefined();
  });

  it('shows a request without a page with its payment, and with no session', async () => {
    const request = await bench.request({}, till);

    expect(await shown()).toMatchObject({
      isDirect: true,
      session: {
        id: request.id,
        sessionId: '',
        token: request.token,
        amount: '10',
        coinCode: DOLLAR.symbol,
        merchant: till.merchant,
        selected: { address: request.address, amount: 10_000_000n, receivedAmount: 0n },
      },
    });
  });

  it('shows nothing once the window is over, and is unknown of an online point of sale', async () => {
    await cashier();
    await bench.platform.advance(500);
    await bench.follow();

    expect(await shown()).toBeUndefined();
    const online = await bench.pointsOfSale.open();
    await expect(bench.readTillCode.execute(online.id)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('An amount that a payer types', () => {
  it('opens a checkout, which the code does not show to others, and which the cashier ends', async () => {
    const session = await type({ amount: '7.50' });

    expect(session).toMatchObject({ amount: '7.5', pointOfSaleId: till.id, status: 'created' });
    expect(await shown()).toBeUndefined();

    const { createdAt } = await cashier();
    expect(await windowOf(session)).toEqual(createdAt);
  });

  it('does not end the request of the cashier, of whichever kind', async () => {
    for (const make of [() => cashier(), () => bench.request({}, till)]) {
      const request = await make();
      const before = await bench.countStored();

      await expect(type()).rejects.toMatchObject({ code: 'state_conflict', occupied: { by: 'merchant' } });

      expect(await windowOf(request)).toEqual(request.expiresAt);
      expect(await bench.countStored()).toBe(before);
    }
  });

  it('does not end the request that the cashier makes while it is being stored', async () => {
    let made: Awaited<ReturnType<typeof cashier>> | undefined;
    const tills = new PostgresTillRequests(bench.database);
    const requests = {
      async unpaidOn(...asked: Parameters<typeof tills.unpaidOn>) {
        const found = await tills.unpaidOn(...asked);
        made ??= await cashier();
        return found;
      },
    };
    const payTypedAmount = Object.assign(Object.create(bench.payTypedAmount), { requests });

    await expect(type({}, { payTypedAmount })).rejects.toMatchObject({ occupied: { by: 'merchant' } });

    expect(await windowOf(made!)).toEqual(made!.expiresAt);
    expect(await shown()).toMatchObject({ session: { id: made!.id } });
  });

  it('leaves one window open when many type at the same moment on two replicas', async () => {
    const replica = await bench.replica();
    const typing = Array.from({ length: 8 }, (_, n) =>
      type({ caller: `198.51.100.${n}` }, n % 2 ? replica : bench).catch(() => undefined),
    );

    expect((await Promise.all(typing)).filter(Boolean)).toHaveLength(1);
  });

  it('waits two minutes for another payer, and not for one’s own', async () => {
    const first = await type();

    await expect(type({ amount: '6' })).rejects.toMatchObject({ occupied: { by: 'payer', seconds: 120 } });
    await expect(type({ replaces: 'another' })).rejects.toMatchObject({ occupied: { by: 'payer' } });
    expect(await windowOf(first)).toEqual(first.expiresAt);

    const second = await type({ amount: '6', replaces: first.sessionId });
    expect(await windowOf(first)).toEqual(second.createdAt);
    await bench.platform.advance(120);
    await bench.follow();
    const third = await type({ amount: '8' });
    expect(await windowOf(second)).toEqual(third.createdAt);
  });

  it('does not end the request for which a payment is signed, however old it is and whoever asks', async () => {
    const first = await type();
    const { uniqueAssetId, address, amount } = first.selected!;
    await bench.database.query(
      `INSERT INTO payments.authorizations (id, payment_request_id, organization_id, account_id, network, token, unique_asset_id,
         from_address, to_address, value, valid_after, valid_before, nonce, signature, reserved_cost, limit_of_payment,
         limit_of_organization, limit_of_day)
       SELECT r.id, r.id, r.organization_id, r.account_id, a[1], lower(a[2]), $2, '0x' || repeat('1', 40), lower($3), $4, 0, 1,
         '0x' || repeat('2', 64), '\\x01', 0, 0, 0, 0
       FROM payments.payment_requests r, regexp_match($2, '^n(.+)_t(.+)$') a WHERE r.id = $1`,
      [first.id, uniqueAssetId, address, amount.toString()],
    );
    await bench.platform.advance(130);
    await bench.follow();

    for (const replaces of [undefined, first.sessionId])
      await expect(type({ amount: '6', replaces })).rejects.toMatchObject({
        occupied: { by: 'payer', seconds: 30 },
      });
    expect(await windowOf(first)).toEqual(first.expiresAt);

    await bench.database.query(
      `UPDATE payments.authorizations SET state = 'failed', ended_at = platform.now(), gas_cost = 0, failure = 'too late',
         failure_reason = 'time' WHERE payment_request_id = $1`,
      [first.id],
    );
    expect(await type({ amount: '6' })).toMatchObject({ status: 'created' });
  });

  it.each(['0', '-1', '1e3', '0x10', '1.0000001', ' 5', '9'.repeat(90), "1'--", '٣', ''])(
    'is refused by name: %j',
    async (amount) => {
      await expect(type({ amount })).rejects.toMatchObject({ errors: [{ field: 'amount' }] });
    },
  );

  it('is in a coin of the till, where the merchant lets payers type at this moment', async () => {
    const euros = await bench.pointsOfSale.open({ type: 'physical', openAmount: true, tillCoin: 'EUR' });

    await expect(type({ coinCode: 'EUR' })).rejects.toMatchObject({ errors: [{ field: 'coin_code' }] });
    await expect(type({ code: euros.id })).rejects.toMatchObject({ errors: [{ field: 'coin_code' }] });
    // The copy in memory still allows it.
    await bench.pointsOfSale.change(till, { openAmount: false });
    await expect(type()).rejects.toMatchObject({ code: 'state_conflict' });
    expect(await shown()).toBeUndefined();
  });

  it('is counted among the open sessions of its caller, and pruned as those of links are', async () => {
    const session = await type();

    const rows = await bench.database.query(
      'SELECT payment_link_id AS opened_at FROM payments.link_openings WHERE payment_request_id = $1',
      [session.id],
    );
    expect(rows).toEqual([{ openedAt: till.id }]);
  });
});
