import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '#shared/kernel/ids.js';
import { Statements } from '../infrastructure/persistence/statements.js';
import { firstDayOf, addMonths, type Period } from '../domain/periods/period.js';
import { receivedDeposit, reversalOf, USDC } from '../testing/movements.js';
import type { TestLedger } from '../testing/open-ledger.js';
import {
  FEE_BASIS_POINTS,
  heldFundsChange,
  openMonth,
  depositPlaceOf,
  signedAmount,
  type OpenMonth,
} from '../testing/open-month.js';
import {
  anOwner,
  COIN,
  emptiedAddress,
  floatWithdrawalEvent,
  refundEvent,
  settlementEvent,
  topUpEvent,
  type Owner,
} from '../testing/source-events.js';
import { eventually } from '#test/support/eventually.js';

let world: OpenMonth;
let ledger: TestLedger;
let books: OpenMonth['books'];
let month: Period;
let next: Period;
beforeAll(async () => {
  // Small batches, so that several SQL statements read each month.
  world = await openMonth(3);
  ({ ledger, books, month, next } = world);
});
afterAll(() => world.close());

describe('The bookkeeping by month', () => {
  /**
   * Creates one transaction of each kind: payments that are complete, underpaid, overpaid, late or reversed;
   * settlements, refunds, float top-ups and withdrawals.
   */
  async function bookEveryKind(owner: Owner) {
    const [full, under, over] = [
      world.paid(owner, 10_000_000n),
      world.paid(owner, 4_000_000n),
      world.paid(owner, 12_000_033n),
    ];
    const late = receivedDeposit({
      ...owner,
      amount: 3_000_000n,
      feeBasisPoints: FEE_BASIS_POINTS,
      occurredAt: world.inMonth('20'),
    });
    // Two fees are rounded in the books, but the chain rounds their sum once.
    const { paymentRequestId, to } = over;
    const more = receivedDeposit({ ...late, paymentRequestId, to, transferId: newId(), amount: 77n });
    await world.post(full, under, over, late, more, {
      ...reversalOf(under),
      occurredAt: world.inMonth('21'),
    });
    const [settled, onItsWay, refunded, failed, withdrawn] = Array.from({ length: 5 }, () => newId<string>());
    const both = [
      emptiedAddress(depositPlaceOf(full), 10_000_000n, FEE_BASIS_POINTS),
      emptiedAddress(depositPlaceOf(over), 12_000_110n, FEE_BASIS_POINTS),
    ];
    const one = [emptiedAddress(depositPlaceOf(late), 3_000_000n, FEE_BASIS_POINTS)];
    const of = { paymentRequestId: full.paymentRequestId as string };
    const gas = (amount: string) => ({ uniqueAssetId: COIN, amount });
    await world.follow(
      [
        settlementEvent(owner, settled!, 'processing', both),
        settlementEvent(owner, settled!, 'completed', both),
        topUpEvent(owner, { amount: '5000000' }),
        topUpEvent(owner, { amount: '50', uniqueAssetId: COIN, currency: 'ETH', decimals: 18 }),
        refundEvent(owner, refunded!, of),
        refundEvent(owner, refunded!, { ...of, status: 'completed', gas: gas('7'), transactionHash: '0x7' }),
        refundEvent(owner, failed!, of),
        refundEvent(owner, failed!, { ...of, status: 'failed', gas: gas('2') }),
        floatWithdrawalEvent(owner, withdrawn!, { amount: '1000000' }),
        floatWithdrawalEvent(owner, withdrawn!, { amount: '1000000', status: 'completed' }),
        settlementEvent(owner, onItsWay!, 'processing', one),
      ],
      world.inMonth('25'),
    );
    return settlementEvent(owner, onItsWay!, 'completed', one);
  }

  it('has equal amounts in statement, file and journal for every kind of record, even after a close', async () => {
    const owner = anOwner();
    const ended = await bookEveryKind(owner);
    const before = {
      USDC: [0, 25_000_110, -250_000, -1_000_000, -21_780_109, 3_999_999, 5_970_000],
      ETH: [0, 0, 0, 0, 0, 41, 41],
    };
    expect(await world.shown(owner, month)).toEqual(before);
    const withoutAssets = new Statements(ledger.database, { asset: () => undefined } as never);
    const names = (await withoutAssets.list(owner, month)).map((row) => `${row.currency} ${row.decimals}`);
    expect(names.sort()).toEqual(['ETH 18', 'USDC 6']);
    const file = await books.journalFile(owner, month);
    const coins = file.filter((line) => line.unique_asset_id === COIN).map(({ asset }) => asset);
    expect(new Set(coins)).toEqual(new Set(['ETH']));

    await books.closePeriod.close(books.act(owner, month));
    await world.follow([ended]);
    await world.post(world.paid(owner, 2_000_000n, '30'));

    expect(await world.shown(owner, month)).toEqual(before);
    expect(await books.journalFile(owner, month)).toEqual(file);
    expect(await books.journalFileOfAccount(owner, month)).toEqual(file);
    expect(await books.statementsOfAccount(owner, next)).toEqual(await books.statements(owner, next));
    expect(await world.shown(owner, next)).toEqual({
      USDC: [5_970_000, 2_000_000, -20_000, 0, -2_970_000, 0, 4_980_000],
      ETH: [41, 0, 0, 0, 0, 0, 41],
    });
    const later = await books.journalFile(owner, next);
    expect([heldFundsChange(file, USDC), heldFundsChange(later, USDC)]).toEqual([
      5_970_000,
      4_980_000 - 5_970_000,
    ]);
    expect(file.concat(later).reduce((sum, line) => sum + Math.round(signedAmount(line) * 1e6), 0)).toBe(0);
    expect(later.filter(({ booked_for }) => booked_for === month).map(({ type }) => type)).toEqual(
      Array.from({ length: 3 }, () => 'payment_in'),
    );
    const { items } = await ledger.queries.page(
      { organizationId: owner.organizationId, accountId: owner.accountId },
      { created: {} },
      { page: 1, pageSize: 5 },
    );
    expect(items.map(({ bookedFor }) => bookedFor)).toEqual([month, null, null, null, null]);
    expect(items.map(({ settlementId }) => settlementId !== null)).toEqual([
      false,
      true,
      false,
      false,
      false,
    ]);
    expect(items[1]!.updatedAt.getTime()).toBeGreaterThan(items[1]!.createdAt.getTime());
    expect(items[4]!.transactionHash).toBe('0x7');
  });

  it('books nothing in custody that the merchant’s own wallet received', async () => {
    const owner = anOwner();
    const paid = { ...world.paid(owner, 10_000_000n), feeBasisPoints: 0, delivered: true as const };
    await world.post(paid);
    const facts = { paymentRequestId: paid.paymentRequestId, amount: '3000000', paidBy: 'merchant' as const };
    const refund = newId<string>();
    await world.follow(
      [refundEvent(owner, refund, facts), refundEvent(owner, refund, { ...facts, status: 'completed' })],
      world.inMonth('25'),
    );

    expect((await world.shown(owner, month)).USDC).toEqual([0, 10_000_000, 0, -3_000_000, -7_000_000, 0, 0]);
    const lines = await books.journalFile(owner, month);
    expect(lines.map(({ ledger_account }) => ledger_account)).toEqual([
      ...['delivered', 'merchant_payable', 'merchant_payable', 'delivered'],
    ]);
    expect(await ledger.breaches()).toEqual({});
    await books.closePeriod.close(books.act(owner, month));
    expect(await world.shown(owner, next)).toEqual({});
  });

  it('closes each month once and in order, and reopens the last one', async () => {
    const owner = anOwner();
    await world.post(world.paid(owner, 1_000_000n), world.paid(owner, 2_000_000n));
    const act = books.act(owner, month);

    await expect(books.closePeriod.close(books.act(anOwner(), month))).rejects.toThrow(
      'There are no entries yet',
    );
    await expect(books.closePeriod.close(books.act(owner, next))).rejects.toThrow('has not ended');
    await Promise.allSettled([books.closePeriod.close(act), books.closePeriod.close(act)]);
    await expect(books.closePeriod.close(act)).rejects.toThrow(`${month} is already closed.`);
    expect(await books.list.listClosed(owner.organizationId)).toEqual([
      expect.objectContaining({ period: month, closedBy: act.actor }),
    ]);

    const other = anOwner();
    await world.post(world.paid(other, 1_000_000n));
    await books.closePeriod.close(books.act(other, month));
    await books.closePeriod.reopen(act);
    expect(await books.list.listClosed(other.organizationId)).toHaveLength(1);
    await expect(books.closePeriod.reopen(act)).rejects.toThrow(
      `${month} is not closed, so it cannot be reopened.`,
    );
    await world.post(world.paid(owner, 4_000_000n));
    expect((await world.shown(owner, month)).USDC!.at(-1)).toBe(6_930_000);
    const acts = await ledger.database.query(
      'SELECT action, before, after FROM identity.audit_log WHERE organization_id = $1 ORDER BY position',
      [owner.organizationId],
    );
    const [open, closed] = [false, true].map((is_closed) => ({ period: month, is_closed }));
    expect(acts).toEqual([
      { action: 'period.closed', before: open, after: closed },
      { action: 'period.reopened', before: closed, after: open },
    ]);
  });

  it('begins with the first month that has entries, even if they were booked later', async () => {
    const owner = anOwner();
    await world.post({ ...world.paid(owner, 1_000_000n), occurredAt: await ledger.clock.now() });
    await world.post(world.paid(owner, 2_000_000n, '28'));

    expect(await books.list.books(owner.organizationId)).toMatchObject({ first: month });
    await books.closePeriod.close(books.act(owner, month));
    await world.post(world.paid(owner, 3_000_000n, '28'), {
      ...world.paid(owner, 1n),
      occurredAt: new Date(0),
    });
    expect(await books.list.books(owner.organizationId)).toMatchObject({ first: month, firstOpen: next });
  });

  it('books later changes in the first open month, even if the clock steps back', async () => {
    const owner = anOwner();
    const following = addMonths(next, 1);
    const payment = world.paid(owner, 1_000_000n, '15');
    const [id, taken] = [
      newId<string>(),
      [emptiedAddress(depositPlaceOf(payment), 1_000_000n, FEE_BASIS_POINTS)],
    ];
    await world.post(payment);
    await world.follow([settlementEvent(owner, id, 'processing', taken)]);
    const inNextMonth = Date.parse(firstDayOf(following)) + 86_400_000;
    const seconds = Math.ceil((inNextMonth - (await ledger.clock.now()).getTime()) / 1_000);
    await ledger.advance(seconds);
    for (const period of [month, next]) await books.closePeriod.close(books.act(owner, period));
    const closed = await books.list.listClosed(owner.organizationId);
    expect(closed.map(({ period }) => period)).toEqual([next, month]);

    await world.follow([settlementEvent(owner, id, 'completed', taken)], await ledger.clock.now());
    await ledger.advance(-seconds);
    await world.post({ ...world.paid(owner, 2_000_000n), occurredAt: await ledger.clock.now() });

    expect((await world.shown(owner, next)).USDC!.at(-1)).toBe(990_000);
    expect(await world.shown(owner, following)).toEqual({
      USDC: [990_000, 2_000_000, -20_000, 0, -990_000, 0, 1_980_000],
    });
    const file = await books.journalFile(owner, following);
    expect(file.map(({ type, booked_for }) => [type, booked_for])).toEqual([
      ...Array.from({ length: 3 }, () => ['withdraw', undefined]),
      ...Array.from({ length: 3 }, () => ['payment_in', next]),
    ]);
    // Returns the clock to the present, so that the month before is in the past again.
    await ledger.advance(2 * seconds);
  });
});

describe('The statement of a month during its close', () => {
  /**
   * Runs both concurrently: the second starts after the first has written, and the first commits once the second waits
   * for its lock.
   */
  const runConcurrently = async (first: () => Promise<unknown>, second: () => Promise<unknown>) => {
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

  it('includes a posting that began before the close', async () => {
    const owner = anOwner();
    await world.post(world.paid(owner, 1_000_000n));
    const second = world.paid(owner, 2_000_000n);
    await ledger.happen([second]);

    await runConcurrently(
      () => ledger.postMovements.post([second]),
      () => books.closePeriod.close(books.act(owner, month)),
    );

    expect((await world.shown(owner, month)).USDC!.at(-1)).toBe(2_970_000);
  });

  it('leaves a posting after the close to the next month', async () => {
    const owner = anOwner();
    await world.post(world.paid(owner, 1_000_000n));
    const second = world.paid(owner, 2_000_000n);
    await ledger.happen([second]);

    await runConcurrently(
      () => books.closePeriod.close(books.act(owner, month)),
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

  it('is not stored for a close after which the month was reopened', async () => {
    const owner = anOwner();
    const act = books.act(owner, month);
    await world.post(world.paid(owner, 1_000_000n));
    const query = ledger.database.query.bind(ledger.database);
    let stores = 0;
    ledger.database.query = async (text, values) => {
      if (text.includes('INSERT INTO ledger.closed_statements')) {
        stores += 1;
        // The second close fails to store its statements. The first close then still holds outdated statements to store.
        if (stores === 2) throw new Error('the connection is gone');
        await books.closePeriod.reopen(act);
        await world.post(world.paid(owner, 2_000_000n));
        await books.closePeriod.close(act);
      }
      return query(text, values) as never;
    };
    await books.closePeriod.close(act);
    ledger.database.query = query;

    expect(stores).toBe(2);
    expect((await world.shown(owner, month)).USDC!.at(-1)).toBe(2_970_000);
  });

  it('is consistent while the previous month is reopened', async () => {
    const owner = anOwner();
    const act = books.act(owner, month);
    await world.post(world.paid(owner, 1_000_000n));
    await books.closePeriod.close(act);
    const query = ledger.database.query.bind(ledger.database);
    ledger.database.query = async (text, values) => {
      const rows = await query(text, values);
      ledger.database.query = query;
      await books.closePeriod.reopen(act);
      return rows as never;
    };

    expect((await world.shown(owner, next)).USDC).toEqual([990_000, 0, 0, 0, 0, 0, 990_000]);
    expect(await books.list.listClosed(owner.organizationId)).toEqual([]);
  });
});
