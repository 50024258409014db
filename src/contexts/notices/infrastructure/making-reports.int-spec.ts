import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PostMovements } from '#contexts/ledger/application/post-movements.js';
import { PostgresJournal } from '#contexts/ledger/infrastructure/persistence/postgres-journal.js';
import { confirmedPayment, receivedDeposit, reversalOf } from '#contexts/ledger/testing/movements.js';
import type { Movement } from '#contexts/ledger/domain/movement.js';
import { PostgresReports, type DueReport } from './persistence/postgres-reports.js';
import { NoticesWorld } from '../testing/notices-world.js';

let world: NoticesWorld;
let post: (...movements: Movement[]) => Promise<void>;

beforeAll(async () => {
  world = await NoticesWorld.open();
  const postMovements = new PostMovements(new PostgresJournal(world.platform.database));
  post = (...movements) => world.platform.database.run(() => postMovements.execute(movements));
});
// Facts of other contexts are made up here.
afterAll(() => world.platform.close('any'));

const DAY = 86_400;
const untilMade = async () => {
  while (await world.reports.execute());
};

describe('Reports', () => {
  it('are made once for each week, with several workers and after an outage, and equal the journal to the unit', async () => {
    const shop = await world.shop();
    const anna = await world.person(shop);
    const id = await world.rule(shop, {
      recipients: [anna],
      kinds: ['weekly_report', 'monthly_report'],
      timeZone: 'Asia/Tokyo',
    });
    // Three weeks of an outage, with money in each.
    const fees = { ...shop, feeBasisPoints: 150 };
    for (let week = 0; week < 3; week += 1) {
      const payments = Array.from({ length: 7 }, (_, n) =>
        confirmedPayment({ ...fees, receivedAmount: 10_000_001n + BigInt(week * 100 + n) }),
      );
      const deposit = receivedDeposit(fees);
      await post(...payments, deposit, ...(week === 1 ? [reversalOf(deposit)] : []));
      await world.platform.advance(7 * DAY);
    }
    await world.platform.advance(7 * DAY);

    await Promise.all([untilMade(), untilMade(), untilMade(), untilMade()]);

    const made = await world.query<{ startsOn: string; recipients: number; figures: { gross: string }[] }>(
      `SELECT starts_on::text AS starts_on, recipients, figures FROM notices.reports
       WHERE rule_id = $1 AND period = 'week' ORDER BY starts_on`,
      [id],
    );
    // The week of the rule, and each one that has ended more than six hours ago.
    expect(made.length).toBeGreaterThanOrEqual(3);
    const days = made.map(({ startsOn }) => Date.parse(startsOn) / 86_400_000);
    expect(days).toEqual(days.map((_, n) => days[0]! + n * 7));
    const weekly = (await world.queued(anna)).filter(({ subject }) => subject.startsWith('Weekly report'));
    expect(weekly).toHaveLength(made.length);
    const [journal] = await world.query<{ gross: bigint }>(
      'SELECT sum(gross_amount) AS gross FROM ledger.transactions WHERE account_id = $1',
      [shop.accountId],
    );
    const gross = made
      .flatMap(({ figures }) => figures)
      .reduce((sum, figure) => sum + BigInt(figure.gross), 0n);
    expect(gross).toBe(journal!.gross);
    await untilMade();
    expect(await world.queries.reports(shop.organizationId, id)).toHaveLength(
      (await world.queued(anna)).length,
    );
  });

  it('wait for their time, and begin with the period in which the rule was made', async () => {
    const shop = await world.shop();
    const anna = await world.person(shop);
    const id = await world.rule(shop, { recipients: [anna], kinds: ['monthly_report'] });
    const [schedule] = await world.rules.schedules(shop.organizationId, id);

    await untilMade();
    expect(schedule!.startsOn.slice(8)).toBe('01');
    expect(await world.queued(anna)).toEqual([]);
    await world.query('UPDATE notices.report_schedules SET due_at = now() WHERE rule_id = $1', [id]);
    await world.query('UPDATE identity.accounts SET deleted_at = now() WHERE id = $1', [shop.accountId]);
    await untilMade();
    expect(await world.queued(anna)).toEqual([]);

    await world.look();
    await expect(world.queries.find(shop.organizationId, id)).rejects.toMatchObject({ kind: 'not_found' });
  });

  it('sum up days, outside any transaction, so that they hold up neither rules nor readers of the event log', async () => {
    const { database } = world.platform;
    const shop = await world.shop();
    const id = await world.rule(shop, { recipients: [await world.person(shop)], kinds: ['monthly_report'] });
    await world.query('UPDATE notices.report_schedules SET due_at = now() WHERE rule_id = $1', [id]);
    const transactions: object[] = [];
    class Watched extends PostgresReports {
      override async figures(due: DueReport, from: Date, until: Date) {
        transactions.push(...(await database.query('SELECT pg_current_xact_id_if_assigned() AS id')));
        return super.figures(due, from, until);
      }
    }
    await world.makeReports(new Watched(database)).execute();
    expect(transactions).toEqual([{ id: null }]);

    const rolledBack = new Error('rolled back');
    const summed = database.run(async () => {
      // The length of each range that is asked for is a sum.
      await database.query(
        `CREATE OR REPLACE FUNCTION ledger.public_account_figures(organization uuid, account uuid, since timestamptz,
           until timestamptz) RETURNS TABLE (type text, unique_asset_id text, network text, currency text, decimals smallint,
           transactions bigint, gross numeric, net numeric)
         LANGUAGE sql AS $$ SELECT 'refund', 'a', 'n', 'USDC', 6::smallint, 1::bigint, h, h + 1
           FROM (SELECT floor(extract(epoch FROM until - since) / 3600) AS h) hours $$`,
      );
      const at = (hour: number) => new Date(Date.UTC(2026, 9, 1, hour));
      expect(await new PostgresReports(database).figures(shop as DueReport, at(0), at(49))).toMatchObject([
        { transactions: 3, gross: 49n, net: 52n },
      ]);
      throw rolledBack;
    });
    await expect(summed).rejects.toBe(rolledBack);
  });
});
