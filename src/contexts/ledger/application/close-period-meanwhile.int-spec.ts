import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '#test/support/eventually.js';
import type { Period } from '../domain/periods/period.js';
import { USDC } from '../testing/movements.js';
import type { TestLedger } from '../testing/open-ledger.js';
import { openMonth, type OpenMonth } from '../testing/open-month.js';
import { anOwner } from '../testing/source-events.js';

describe('The books of a month that is being closed', () => {
  let world: OpenMonth;
  let ledger: TestLedger;
  let books: OpenMonth['books'];
  let month: Period;
  let next: Period;
  beforeAll(async () => {
    world = await openMonth();
    ({ ledger, books, month, next } = world);
  });
  afterAll(() => world.close());

  /** The second begins once the first has written, and the first commits once the second waits for it. */
  const inTurn = async (first: () => Promise<unknown>, second: () => Promise<unknown>) => {
    const [written, isWaited] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holding = ledger.database.run(async () => {
      await first();
      written.resolve();
      await isWaited.promise;
    });
    await Promise.race([written.promise, holding]);
    const waiting = second();
    await eventually(async () => {
      const [row] = await ledger.database.query<{ count: number }>(
        `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return row!.count > 0;
    });
    isWaited.resolve();
    await Promise.all([holding, waiting]);
  };

  it('include what was posted before the close, which waits for the posting', async () => {
    const owner = anOwner();
    await world.post(world.paid(owner, 1_000_000n));
    const second = world.paid(owner, 2_000_000n);
    await ledger.happen([second]);

    await inTurn(
      () => ledger.postMovements.execute([second]),
      () => books.closePeriod.execute(books.act(owner, month)),
    );

    expect((await world.shown(owner, month)).USDC!.at(-1)).toBe(2_970_000);
  });

  it('include a posting after the close in the next month, even if the posting began first', async () => {
    const owner = anOwner();
    await world.post(world.paid(owner, 1_000_000n));
    const second = world.paid(owner, 2_000_000n);
    await ledger.happen([second]);

    await inTurn(
      () => books.closePeriod.execute(books.act(owner, month)),
      () => ledger.post([second]),
    );

    expect((await world.shown(owner, month)).USDC!.at(-1)).toBe(990_000);
    expect(await books.lines(owner, next)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ bookedFor: month, period: next, type: 'payment_in' }),
      ]),
    );
    const [{ id } = { id: '' }] = await ledger.database.query<{ id: string }>(
      'SELECT id FROM ledger.transactions WHERE organization_id = $1 LIMIT 1',
      [owner.organizationId],
    );
    await expect(
      ledger.database.query(
        `INSERT INTO ledger.entries (transaction_id, line, organization_id, account_id, ledger_account, unique_asset_id, amount, period)
         SELECT $1, 90 + n, $2, $3, 'custody', $4, n * 2 - 3, $5::date FROM generate_series(1, 2) n`,
        [id, owner.organizationId, owner.accountId, USDC, `${month}-01`],
      ),
    ).rejects.toMatchObject({ constraint: 'entries_of_open_periods' });
  });

  it('store no statements of a close that was reopened before they were stored', async () => {
    const owner = anOwner();
    const act = books.act(owner, month);
    await world.post(world.paid(owner, 1_000_000n));
    const query = ledger.database.query.bind(ledger.database);
    let stores = 0;
    ledger.database.query = async (text, values) => {
      if (text.includes('INSERT INTO ledger.closed_statements')) {
        stores += 1;
        // Those of the second close are not stored yet when those of the first arrive.
        if (stores === 2) throw new Error('the connection is gone');
        await books.closePeriod.reopen(act);
        await world.post(world.paid(owner, 2_000_000n));
        await books.closePeriod.execute(act);
      }
      return query(text, values) as never;
    };
    await books.closePeriod.execute(act);
    ledger.database.query = query;

    expect(stores).toBe(2);
    expect((await world.shown(owner, month)).USDC!.at(-1)).toBe(2_970_000);
  });

  it('show a consistent statement while the previous month is reopened', async () => {
    const owner = anOwner();
    const act = books.act(owner, month);
    await world.post(world.paid(owner, 1_000_000n));
    await books.closePeriod.execute(act);
    const query = ledger.database.query.bind(ledger.database);
    ledger.database.query = async (text, values) => {
      const rows = await query(text, values);
      ledger.database.query = query;
      await books.closePeriod.reopen(act);
      return rows as never;
    };

    expect((await world.shown(owner, next)).USDC).toEqual([990_000, 0, 0, 0, 0, 0, 990_000]);
    expect(await books.list.closed(owner.organizationId)).toEqual([]);
  });
});
