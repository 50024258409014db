import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { newId } from '#shared/kernel/ids.js';
import { eventually } from '#test/support/eventually.js';
import { FiguresWorld } from '#contexts/figures/testing/figures-world.js';
import { DOLLAR, EURO } from '#contexts/payments/testing/requests/collecting-world.js';
import { ObservedDatabase } from '#contexts/payments/testing/requests/observed-database.js';
import { pay } from '#contexts/payments/testing/requests/open-payments.js';
import { paidOut } from '#contexts/payments/testing/watching/payout-events.js';

let world: FiguresWorld;
beforeEach(async () => {
  world = await FiguresWorld.open();
});
afterEach(() => world.close());

const figures = () => world.figures(world.payments.shop.organizationId);
const request = () => world.payments.request({}, world.payments.shop);

/** A completed request, a late payment for an expired one, and a request that is open. */
async function trade() {
  const [paid, late] = [await request(), await request()];
  await world.pass(4, pay(paid, 1_000));
  await world.pass(10);
  await world.pass(4, pay(late, 300), pay(paid, 200, EURO.token));
  await request();
  return { paid, late };
}

describe('The daily analytics', () => {
  it('counts payment requests by status and money by asset', async () => {
    await trade();

    await world.untilRead();

    expect(await figures()).toEqual([
      'deposited EURX 1 2000000',
      'deposited USDX 1 3000000',
      'paid USDX 1 10000000',
      'paid_within 300 1',
      'requests completed 1',
      'requests created 1',
      'requests expired 1',
    ]);
    expect(await world.breaches()).toEqual({});
  });

  it('counts a delivered settlement until its block is removed, on the day of the delivery', async () => {
    const { paid } = await trade();
    const payout = paidOut(paid, DOLLAR.token, 10_000_000n);
    await world.pass(1, payout);
    await world.untilRead();
    const delivered = await figures();

    // It is taken off the day on which it was counted.
    await world.payments.platform.advance(86_400);
    world.payments.chain.takeBack(1);
    await world.pass(2);
    await world.untilRead();

    expect(delivered).toContain('settled USDX 1 9000000');
    expect((await figures()).join()).not.toContain('settled');
    await world.pass(4, payout);
    await world.untilRead();
    expect(await figures()).toContain('settled USDX 1 9000000');
  });

  it('counts paid refunds and reversed money, and lists the same deposits after a rebuild', async () => {
    const { paid, late } = await trade();
    const [sent, cancelled] = [await world.refund(late, 3_000_000n), await world.refund(paid, 1_000_000n)];
    for (const refund of [sent, cancelled])
      await world.change(refund, (locked, now) => locked.approve('somebody', `0x${'cd'.repeat(20)}`, now));
    await world.change(sent, (locked, now) =>
      locked.complete({ transactionHash: `0x${'9'.repeat(64)}` }, now),
    );
    await world.change(cancelled, (locked, now) => locked.cancel(now, '', 'changed our mind'));

    world.payments.chain.takeBack(8);
    await world.pass(12);
    await world.untilRead();

    expect(await figures()).toEqual(
      expect.arrayContaining([
        'refunded USDX 1 3000000',
        'reversed USDX 1 3000000',
        'reversed EURX 1 2000000',
      ]),
    );
    expect(await world.breaches()).toEqual({});
    const deposits = () =>
      world.payments.database.query('SELECT transfer_id FROM figures.deposits ORDER BY 1');
    const before = await deposits();
    await world.rebuild().execute();
    expect(await deposits()).toEqual(before);
  });

  it('counts the parts of an aggregated deposit as one after a rebuild and lists none of them', async () => {
    const { database, shop } = world.payments;
    const write = (sql: string, values: unknown[] = []) =>
      database.run(async () => {
        await database.write('SET LOCAL session_replication_role = replica');
        await database.write(sql, values);
      });
    await write(
      `INSERT INTO payments.transfers (id, deposit_id, payment_request_id, organization_id, account_id, network, kind,
         transaction_hash, index, block_number, block_hash, block_time, unique_asset_id, currency, decimals,
         required_confirmations, from_address, to_address, amount, counted, final, gathered_on, detected_at, deposited_at)
       SELECT gen_random_uuid(), $1, $2, $2, $2, 'sandbox', 'log', '0x1', n, 1, '0x1', now(), 'a', 'USDC', 6, 1, '0x1', '0x2',
         300, false, true, now(), now(), now() FROM generate_series(1, 2) n`,
      [newId(), shop.organizationId],
    );

    await world.rebuild().execute();

    expect(await figures()).toEqual(['deposited USDC 1 600']);
    expect(await database.query('SELECT FROM figures.deposits')).toEqual([]);
    await write('DELETE FROM payments.transfers');
    await world.rebuild().execute();
  });

  it('keeps the numbers over a rebuild that fails and counts pending events in one that succeeds', async () => {
    await trade();
    await world.untilRead();
    const before = await figures();
    await trade();

    const dying = new ObservedDatabase(world.payments.platform.dataSource);
    dying.beforeStatement = (number) => {
      if (number > 4) throw new Error('died');
    };
    await expect(world.rebuild(dying).execute()).rejects.toThrow('died');
    const afterDeath = await figures();
    // Other tests' open transactions on the server leave the last events to the subscriber.
    const rows = await eventually(
      () => world.rebuild().execute(),
      ({ daily }) => daily >= 2 * 7,
    );

    expect(afterDeath).toEqual(before);
    expect(rows).toEqual({ assets: 2, deposits: 4, daily: 2 * 7 });
    expect(await figures()).toContain('paid USDX 2 20000000');
    expect(await world.breaches()).toEqual({});
    await request();
    await world.untilRead();
    expect(await figures()).toContain('requests created 2');
    expect(await world.breaches()).toEqual({});
  });

  it('leaves events behind an open transaction to the subscriber', async () => {
    const earlier = new pg.Client({ connectionString: world.payments.platform.url });
    await earlier.connect();
    await earlier.query('BEGIN; SELECT pg_current_xact_id()');
    await trade();

    await world.rebuild().execute();

    expect(await figures()).toEqual([]);
    expect(await world.breaches()).toEqual({});
    await earlier.query('COMMIT');
    await earlier.end();
    await world.untilRead();
    expect(await figures()).toContain('paid USDX 1 10000000');
    expect(await world.breaches()).toEqual({});
  });

  it('fails its invariants when a row is changed, unless the beginning of the event log is missing', async () => {
    await trade();
    await world.untilRead();
    await world.payments.database.query(
      `UPDATE figures.daily SET amount = amount + 1 WHERE figure = 'paid' AND account_id IS NOT NULL`,
    );

    expect(Object.keys(await world.breaches())).toEqual([
      'figures-are-what-is-recorded',
      'figures-agree-with-the-journal',
    ]);
    await world.payments.database.query('DELETE FROM figures.deposits');
    await world.payments.database.query('UPDATE figures.present SET complete = false');
    // The beginning of the log was archived before counting began.
    expect(await world.breaches()).toEqual({});
    await world.rebuild().execute();
    expect(await world.breaches()).toEqual({});
  });
});
