import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { newId, type OrganizationId } from '#shared/kernel/ids.js';
import { DOLLAR, EURO } from '#contexts/payments/testing/requests/collecting-world.js';
import { ObservedDatabase } from '#contexts/payments/testing/requests/observed-database.js';
import { pay } from '#contexts/payments/testing/requests/open-payments.js';
import { sentPayout } from '#contexts/chain-watching/testing/model-block.js';
import { breachesOf } from '#test/support/broken-invariants.js';
import { Database } from '#shared/platform/database/database.js';
import { EventLog } from '#shared/platform/event-log/event-log.js';
import { SubscriberRunner } from '#shared/platform/event-log/subscriber-runner.js';
import { logSettled, readToEnd } from '#shared/platform/event-log/testing/log-settled.js';
import { analyticsJournalInvariants } from '#app/between-contexts/analytics-journal-invariants.js';
import { ledgerSubscriberOn } from '#contexts/ledger/testing/open-ledger.js';
import { openCheckouts, type Checkouts } from '#contexts/payments/testing/checkout/open-checkouts.js';
import type { PaymentRequestView } from '#contexts/payments/application/requests/payment-request-view.js';
import { Refund } from '#contexts/settlement/domain/refunds/refund.js';
import { UpdateSettlements } from '#contexts/settlement/application/settling/update-settlements.js';
import { PostgresRefunds } from '#contexts/settlement/infrastructure/refunds/persistence/postgres-refunds.js';
import { PostgresSettlements } from '#contexts/settlement/infrastructure/settling/persistence/postgres-settlements.js';
import { SettlementProjection } from '#contexts/settlement/infrastructure/settling/settlement-projection.js';
import { paidWithinSql } from './persistence/analytics-changes.sql.js';
import { analyticsInvariants } from './persistence/analytics-invariants.js';
import { PostgresDailyAnalytics } from './persistence/postgres-daily-analytics.js';
import { RebuildAnalytics } from './persistence/rebuild-analytics.js';
import { AnalyticsSubscriber } from './analytics-subscriber.js';

/** Invariants that this test violates, because it never sends the refunds that it completes. */
const UNSENT = ['approved-refunds-have-their-payout', 'refunded-sums-were-received'];
const PAYER = `0x${'ab'.repeat(20)}`;
const DAY_SECONDS = 86_400;
const FLOAT = `0x${'cd'.repeat(20)}`;

const secondsToNoon = (now: Date): number => {
  const sinceNoon = (now.getTime() / 1000 + DAY_SECONDS / 2) % DAY_SECONDS;
  return Math.ceil(DAY_SECONDS - sinceNoon);
};

/** Payments on simulated chains, with settlement, ledger and analytics, on a real database. */
class AnalyticsWorld {
  private constructor(
    readonly payments: Checkouts,
    private readonly runners: readonly SubscriberRunner[],
  ) {}

  static async open(): Promise<AnalyticsWorld> {
    const payments = await openCheckouts();
    payments.platform.makesUp(UNSENT);
    const { database, platform } = payments;
    // Starts at noon UTC, so that a test that lasts an hour does not span two UTC days, by which analytics counts.
    await platform.advance(secondsToNoon(await platform.clock.now()));
    const settlements = new PostgresSettlements(database, new EventLog(database));
    const others = [
      new SettlementProjection(new UpdateSettlements(platform.clock, settlements)),
      ledgerSubscriberOn(database),
    ].map((subscriber) => new SubscriberRunner(database, subscriber));
    const world = new AnalyticsWorld(payments, others);
    for (const runner of [...others, world.counter()]) await runner.register();
    return world;
  }

  counter(database: Database = this.payments.database): SubscriberRunner {
    return new SubscriberRunner(database, new AnalyticsSubscriber(database));
  }

  rebuild(database: Database = this.payments.database): RebuildAnalytics {
    return new RebuildAnalytics(this.payments.platform.dataSource, database);
  }

  /** One after the other, because each may append events that the next ones read. */
  async untilRead(): Promise<void> {
    for (const runner of [...this.runners, this.counter()]) await readToEnd(this.payments.database, runner);
  }

  /**
   * Advances the clock by a number of minutes and mines a block per minute. The first block contains these transfers.
   */
  async pass(minutes: number, ...sent: Parameters<Checkouts['chain']['mineAt']>[1][]): Promise<void> {
    const { platform, chain, follow } = this.payments;
    for (let minute = 0; minute < minutes; minute += 1) {
      await platform.advance(60);
      chain.mineAt(await platform.clock.now(), ...(minute === 0 ? sent : []));
    }
    await follow();
  }

  async refund(request: PaymentRequestView, amount: bigint): Promise<Refund> {
    const { platform, database } = this.payments;
    const { organizationId, accountId, id: paymentRequestId, pointOfSaleId } = request;
    const facts = { organizationId, accountId, paymentRequestId, pointOfSaleId };
    const { uniqueAssetId, network, token, symbol, decimals } = DOLLAR;
    const asset = { uniqueAssetId, network, token, symbol, decimals };
    const draft = { id: newId<string>(), ...facts, merchantName: 'Shop', asset, amount, to: PAYER };
    const refund = Refund.create({ ...draft, createdAt: await platform.clock.now() }, FLOAT);
    await database.run(async () => {
      const sum = { organizationId, accountId, paymentRequestId, uniqueAssetId, received: 10n ** 30n };
      await this.refunds.lockSum(sum);
      await this.refunds.add(refund, null);
    });
    return refund;
  }

  async change(refund: Refund, how: (locked: Refund, now: Date) => void): Promise<void> {
    const { platform, database } = this.payments;
    const { id, organizationId } = refund.snapshot;
    const now = await platform.clock.now();
    await database.run(async () => {
      const locked = await this.refunds.lock({ organizationId, accountId: null }, id);
      how(locked, now);
      await this.refunds.save(locked);
    });
  }

  /** All daily figures of an organization, as texts `figure part number amount`. */
  async figures(organizationId: OrganizationId): Promise<string[]> {
    const queries = new PostgresDailyAnalytics(this.payments.database);
    const { figures } = await queries.since({ organizationId, accountId: null }, '0001-01-01');
    return figures
      .map(({ figure, part, number, amount, asset }) =>
        [figure, asset?.currency ?? part, number, ...(asset === undefined ? [] : [amount])].join(' '),
      )
      .sort();
  }

  breaches(): Promise<Record<string, object[]>> {
    return breachesOf(this.payments.platform.database, [
      ...analyticsInvariants,
      ...analyticsJournalInvariants,
    ]);
  }

  close(brokenOnPurpose: readonly string[] = []): Promise<void> {
    return this.payments.close(brokenOnPurpose);
  }

  private get refunds(): PostgresRefunds {
    return new PostgresRefunds(this.payments.database, new EventLog(this.payments.database));
  }
}

let world: AnalyticsWorld;
beforeEach(async () => {
  world = await AnalyticsWorld.open();
});
afterEach(() => world.close());

const figures = () => world.figures(world.payments.shop.organizationId);
const request = () => world.payments.request({}, world.payments.shop);

/** Creates a completed request, an expired request with a late payment, and an open request. */
async function trade() {
  const [paid, late] = [await request(), await request()];
  await world.pass(4, pay(paid, 1_000));
  await world.pass(10);
  await world.pass(4, pay(late, 300), pay(paid, 200, EURO.token));
  await request();
  return { paid, late };
}

describe('The table of daily analytics', () => {
  it('counts a payment at the bound of a time within that time', async () => {
    const start = "'2026-03-01'::timestamptz";
    const within = async (seconds: number) => {
      const part = paidWithinSql(start, `${start} + interval '${seconds} seconds'`);
      const [row] = await world.payments.database.query<{ part: string }>(`SELECT ${part} AS part`);
      return row!.part;
    };

    expect([await within(15), await within(15.001), await within(86_400)]).toEqual(['15', '30', '86400']);
    expect(await within(86_401)).toBe('longer');
  });

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
    const payout = sentPayout(paid, DOLLAR.token, 10_000_000n);
    await world.pass(1, payout);
    await world.untilRead();
    const delivered = await figures();

    // The settlement is removed from the day on which it was counted, although the reorganization is a day later.
    await world.payments.platform.advance(86_400);
    world.payments.chain.removeNewestBlocks(1);
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

    world.payments.chain.removeNewestBlocks(8);
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
    await world.rebuild().rebuild();
    expect(await deposits()).toEqual(before);
  });

  it('counts the parts of an aggregated deposit as one after a rebuild and lists none of them', async () => {
    const { database, shop } = world.payments;
    const write = (sql: string, values: unknown[] = []) =>
      database.run(async () => {
        await database.queryInTransaction('SET LOCAL session_replication_role = replica');
        await database.queryInTransaction(sql, values);
      });
    await write(
      `INSERT INTO payments.transfers (id, deposit_id, payment_request_id, organization_id, account_id, network, kind,
         transaction_hash, index, block_number, block_hash, block_time, unique_asset_id, currency, decimals,
         required_confirmations, from_address, to_address, amount, counted, final, gathered_on, detected_at, deposited_at)
       SELECT gen_random_uuid(), $1, $2, $2, $2, 'sandbox', 'log', '0x1', n, 1, '0x1', now(), 'a', 'USDC', 6, 1, '0x1', '0x2',
         300, false, true, now(), now(), now() FROM generate_series(1, 2) n`,
      [newId(), shop.organizationId],
    );

    await world.rebuild().rebuild();

    expect(await figures()).toEqual(['deposited USDC 1 600']);
    expect(await database.query('SELECT FROM figures.deposits')).toEqual([]);
    await write('DELETE FROM payments.transfers');
    await world.rebuild().rebuild();
  });

  it('keeps the numbers if a rebuild fails, and counts pending events if it succeeds', async () => {
    await trade();
    await world.untilRead();
    const before = await figures();
    await trade();

    const dying = new ObservedDatabase(world.payments.platform.dataSource);
    dying.beforeStatement = (number) => {
      if (number > 4) throw new Error('died');
    };
    await expect(world.rebuild(dying).rebuild()).rejects.toThrow('died');
    const afterDeath = await figures();
    await logSettled(world.payments.database);
    const rows = await world.rebuild().rebuild();

    expect(afterDeath).toEqual(before);
    expect(rows).toEqual({ assets: 2, deposits: 4, daily: 2 * 7 });
    expect(await figures()).toContain('paid USDX 2 20000000');
    expect(await world.breaches()).toEqual({});
    await request();
    await world.untilRead();
    expect(await figures()).toContain('requests created 2');
    expect(await world.breaches()).toEqual({});
  });

  it('leaves events after an open transaction to the subscriber during a rebuild', async () => {
    const earlier = new pg.Client({ connectionString: world.payments.platform.url });
    await earlier.connect();
    await earlier.query('BEGIN; SELECT pg_current_xact_id()');
    await trade();

    await world.rebuild().rebuild();

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
    // The oldest events were archived before analytics began to count.
    expect(await world.breaches()).toEqual({});
    await world.rebuild().rebuild();
    expect(await world.breaches()).toEqual({});
  });
});
