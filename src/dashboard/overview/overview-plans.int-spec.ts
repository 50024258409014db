import { describe, expect, it } from '@jest/globals';
import { PlanDatabase } from '#test/support/plan-database.js';
import { executed, PLANS } from '#test/support/plans.js';
import { newId } from '#shared/kernel/ids.js';
import { SELECT_DAILY_ANALYTICS } from '#contexts/analytics/infrastructure/persistence/postgres-daily-analytics.js';
import { SELECT_ATTENTION, SELECT_BALANCES } from './overview-queries.js';

const SHOP = '01800000-0000-7000-8000-000000000001';
/** Number of accounts of each of two organizations. PAST is the number of finished records of each kind. */
const ACCOUNTS_PER_ORGANIZATION = 10;
const FINISHED_RECORDS = 10_000;
const DAYS = 400;
const FIGURES_OF_A_DAY = 8;
const SPAN = 60;
/** Number of open records of each kind that require the shop's attention. */
const OPEN_RECORDS = 3;

const ORGANIZATION = `('01800000-0000-7000-8000-' || lpad((1 + n % 2)::text, 12, '0'))::uuid`;
const ACCOUNT = `('01800000-0000-7000-8000-' || lpad((100 + n % ${2 * ACCOUNTS_PER_ORGANIZATION})::text, 12, '0'))::uuid`;
const ID = `('01900000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid`;
const IS_OPEN = `n <= ${2 * OPEN_RECORDS} AND n % 2 = 0`;

const closed = (value: string) => `CASE WHEN NOT (${IS_OPEN}) THEN ${value} END`;

const WORLD = `
INSERT INTO identity.organizations (id, name, created_at, updated_at) SELECT ${ORGANIZATION}, 'Shop', now(), now() FROM generate_series(0, 1) n;
INSERT INTO identity.accounts (id, organization_id, external_id, name, created_at, updated_at)
  SELECT ${ACCOUNT}, ${ORGANIZATION}, n::text, 'Main', now(), now() FROM generate_series(1, ${2 * ACCOUNTS_PER_ORGANIZATION}) n;
INSERT INTO point_of_sale.points_of_sale (id, organization_id, account_id, name, type, merchant_name, payment_options, created_at, updated_at)
  SELECT ${ACCOUNT}, ${ORGANIZATION}, ${ACCOUNT}, 'Shop', 'online', 'Shop', '{a}', now(), now() FROM generate_series(1, ${2 * ACCOUNTS_PER_ORGANIZATION}) n;
INSERT INTO payments.payment_requests (id, organization_id, account_id, point_of_sale_id, type, status, network, unique_asset_id, currency,
    decimals, amount, received_amount, token, created_at, expires_at, counts_until, confirmed_at, outcome_block)
  SELECT ${ID}, ${ORGANIZATION}, ${ACCOUNT}, ${ACCOUNT}, 'fixed', CASE WHEN ${IS_OPEN} THEN 'underpaid' WHEN n <= 18 THEN 'overpaid'
    ELSE 'completed' END, 'sandbox', '1', 'A', 6, 5, CASE WHEN n <= 6 THEN 5 WHEN n <= 12 THEN 11 ELSE 10 END, '', now(), now(), now(), now(), 1 FROM generate_series(1, ${FINISHED_RECORDS}) n;
INSERT INTO figures.daily (generation, scope_id, organization_id, account_id, day, figure, part, number, amount)
  SELECT 1, s.scope, ${ORGANIZATION}, s.account, current_date - day, 'paid', part::text, 1, 1
  FROM generate_series(1, ${2 * ACCOUNTS_PER_ORGANIZATION}) n
  CROSS JOIN LATERAL (SELECT ${ORGANIZATION} AS scope, NULL::uuid AS account WHERE n <= 2 UNION ALL SELECT ${ACCOUNT}, ${ACCOUNT}) s
  CROSS JOIN generate_series(0, ${DAYS - 1}) day CROSS JOIN generate_series(1, ${FIGURES_OF_A_DAY}) part;
INSERT INTO figures.assets SELECT n::text, '', '', 6 FROM generate_series(1, ${FIGURES_OF_A_DAY}) n;
INSERT INTO figures.deposits (generation, transfer_id, organization_id, account_id, payment_request_id, unique_asset_id, amount, at)
  SELECT 1, ${ID}, ${ORGANIZATION}, ${ACCOUNT}, ${ID}, '1', 5, now() - n * interval '1 hour' FROM generate_series(1, ${FINISHED_RECORDS}) n;
INSERT INTO settlement.refunded_sums (payment_request_id, unique_asset_id, organization_id, account_id, received, refunded)
  SELECT ${ID}, '1', ${ORGANIZATION}, ${ACCOUNT}, 5, 5 FROM generate_series(${2 * OPEN_RECORDS + 1}, ${FINISHED_RECORDS}) n;
INSERT INTO settlement.refunds (id, organization_id, account_id, payment_request_id, point_of_sale_id, merchant_name, network, token,
    unique_asset_id, currency, decimals, amount, transaction_hash, created_at, updated_at, status, to_address, approved_at, approved_by, float_address)
  SELECT ${ID}, ${ORGANIZATION}, ${ACCOUNT}, ${ID}, ${ID}, '', 'sandbox', '0xa', '1', 'A', 6, 5, '0x', now(), now(),
    CASE WHEN ${IS_OPEN} THEN 'pending' ELSE 'completed' END, ${closed("'0x'")}, ${closed('now()')}, ${closed("''")}, ${closed("'0x'")}
  FROM generate_series(1, ${FINISHED_RECORDS}) n;
INSERT INTO settlement.refund_floats (id, organization_id, account_id, network)
  SELECT ${ID}, ${ORGANIZATION}, ${ID}, CASE n WHEN 2 THEN 'other' ELSE 'sandbox' END FROM generate_series(0, 2) n;
INSERT INTO settlement.refund_float_holdings (float_id, holding, topped_up) SELECT ${ID}, holding, 14 FROM generate_series(0, 2) n, unnest('{0xa,native}'::text[]) holding;
INSERT INTO settlement.refund_float_payouts (id, float_id, organization_id, account_id, network, kind, holding, unique_asset_id, currency,
    decimals, amount, to_address, gas_reserved, status, ended_at, ordered_by, from_allotment, block_number)
  SELECT ${ID}, ('01900000-0000-7000-8000-00000000000' || CASE n WHEN 2 THEN 2 ELSE 0 END)::uuid, ${ORGANIZATION}, ${ACCOUNT}, 'sandbox', 'refund', '0xa', '1', 'A', 6, 5, '0x', 3,
    'failed', now(), '', false, n FROM generate_series(1, ${FINISHED_RECORDS}) n;
INSERT INTO payments.settlement_holds (id, network, address, payment_request_id, organization_id, account_id, transfer_id, held_at,
    released_at, released_by, release_reason)
  SELECT ${ID}, 'sandbox', n::text, ${ID}, ${ORGANIZATION}, ${ACCOUNT}, ${ID}, now(), ${closed('now()')}, ${closed("''")}, ${closed("''")}
  FROM generate_series(1, ${FINISHED_RECORDS}) n;
INSERT INTO webhooks.webhooks (id, organization_id, account_id, url, event_type, active, failing, secret_key_id, sealed_secret, deleted_at)
  SELECT ${ID}, ${ORGANIZATION}, ${ACCOUNT}, '', 'refund', ${IS_OPEN}, ${IS_OPEN}, '', '', CASE WHEN n > 40 THEN now() END
  FROM generate_series(1, ${FINISHED_RECORDS}) n;
INSERT INTO ledger.balances (organization_id, account_id, ledger_account, unique_asset_id, amount)
  SELECT ${ORGANIZATION}, ${ACCOUNT}, ledger_account, asset::text, 1 FROM generate_series(1, ${2 * ACCOUNTS_PER_ORGANIZATION}) n,
    unnest('{custody,in_flight,merchant_payable,service_fees}'::text[]) ledger_account,
    generate_series(1, CASE n % 2 WHEN 0 THEN 5 ELSE 300 END) asset;
INSERT INTO ledger.book_currencies (account_id, since, organization_id, currency)
  SELECT ${ACCOUNT}, now(), ${ORGANIZATION}, 'EUR' FROM generate_series(1, ${2 * ACCOUNTS_PER_ORGANIZATION}) n;
INSERT INTO ledger.recorded_rates (symbol, currency, recorded_at, price, sources, at)
  SELECT '', 'EUR', now() - n * interval '1 hour', n::text, '{}', now() FROM generate_series(1, ${FINISHED_RECORDS}) n;
INSERT INTO platform.events (id, type, aggregate_id, organization_id, account_id, occurred_at, data)
  SELECT ${ID}, '', ${ID}, ${ORGANIZATION}, ${ACCOUNT}, now(), '{}' FROM generate_series(1, ${FINISHED_RECORDS}) n;
INSERT INTO platform.subscriber_positions (subscriber, transaction_id, position)
  SELECT 'figures', transaction_id, position FROM platform.events ORDER BY transaction_id DESC, position DESC LIMIT 1;
ANALYZE;`;

const OWN = `'${SHOP}'`;
const database = new PlanDatabase((filled) => filled.query(WORLD));

/** Returns how many rows of each table a statement reads or skips. */
async function read(text: string, types: string[], values: string[], mode: (typeof PLANS)[number]) {
  const { scans, blocks } = await executed(database.client, text, types, values, mode);
  return { rows: scans.reduce((sum, { rows }) => sum + rows, 0), blocks };
}

describe('The overview of an organization with several points of sale', () => {
  it('lists the five newest payments of all of them, and none of another organization', async () => {
    const [organization, other] = [newId(), newId()];
    const [first, second, others] = [newId(), newId(), newId()];
    const statuses = ['created', 'processing', 'expired', 'failed', 'created', 'expired'];
    await database.client.query(
      `INSERT INTO point_of_sale.points_of_sale (id, organization_id, account_id, name, type, merchant_name, payment_options, created_at, updated_at)
       SELECT p.id, p.organization_id, p.id, 'Shop', 'online', 'Shop', '{a}', now(), now()
       FROM (VALUES ($1::uuid, $4::uuid), ($2, $4), ($3, $5)) p (id, organization_id)`,
      [first, second, others, organization, other],
    );
    const store = (owner: string, pos: string, number: number, reference: string) =>
      database.client.query(
        `INSERT INTO payments.payment_requests (id, organization_id, account_id, point_of_sale_id, type, status, network, unique_asset_id,
           currency, decimals, amount, token, reference_id, created_at, expires_at, counts_until)
         VALUES ($1, $2, $3, $3, 'fixed', $4, 'sandbox', '1', 'A', 6, $5::int, '', $6, now() - $5::int * interval '1 minute', now(), now())`,
        [newId(), owner, pos, statuses[number - 1], number, reference],
      );
    for (const number of [6, 5, 4, 3, 2, 1]) {
      await store(organization, number % 2 === 0 ? first : second, number, `order-${number}`);
      await store(other, others, number, 'of another organization');
    }
    await store(other, first, 1, 'of another organization at the same point of sale');

    const { rows } = await database.client.query(SELECT_BALANCES, [organization]);

    const common = { id: expect.any(String), createdAt: expect.any(String), currency: 'A', decimals: 6 };
    expect(rows[0].latest).toEqual(
      [1, 2, 3, 4, 5].map((number) => ({
        ...common,
        referenceId: `order-${number}`,
        status: statuses[number - 1],
        amount: `${number}`,
      })),
    );
  });
});

describe.each(PLANS)('The overview of an organization with many old rows, with %s', (mode) => {
  it('reads only the figures of its time span, once for all accounts', async () => {
    const values = [OWN, 'NULL', `(current_date - ${SPAN - 1})::text`, `'figures'`];

    const { rows, blocks } = await read(
      SELECT_DAILY_ANALYTICS,
      ['uuid', 'uuid', 'text', 'text'],
      values,
      mode,
    );

    const figures = SPAN * FIGURES_OF_A_DAY;
    expect(rows).toBeLessThanOrEqual(figures + FIGURES_OF_A_DAY + 10);
    expect(blocks).toBeLessThanOrEqual(figures + 40);
  });

  it('reads only the balances, currencies and latest payments of its accounts, and the last rate of each asset', async () => {
    const { rows, blocks } = await read(SELECT_BALANCES, ['uuid'], [OWN], mode);

    const found = await database.client.query(SELECT_BALANCES.replaceAll('$1', OWN));

    expect(found.rows[0]).toMatchObject({ books_currency: 'EUR', price: '1' });
    expect(rows).toBeLessThanOrEqual(ACCOUNTS_PER_ORGANIZATION * 5 * 4 + 80);
    // Each status of each point of sale is a range of an index.
    expect(blocks).toBeLessThanOrEqual(120 + ACCOUNTS_PER_ORGANIZATION * 8 * 3);
  });

  it('reads what is open, and at most a hundred deposits of the last days', async () => {
    const values = [OWN, `now() - interval '30 days'`];

    const { rows, blocks } = await read(SELECT_ATTENTION, ['uuid', 'timestamptz'], values, mode);
    const found = await database.client.query(
      SELECT_ATTENTION.replaceAll('$1', values[0]!).replaceAll('$2', values[1]!),
    );

    expect(rows).toBeLessThanOrEqual(3 * 100 + 20 * OPEN_RECORDS + 250);
    expect(blocks).toBeLessThanOrEqual(900);
    expect(found.rows.map(({ kind, number }) => `${kind} ${number}`)).toEqual([
      ...[
        'webhook_failing 3',
        'refund_payer 3',
        'held 3',
        'underpaid 3',
        'overpaid 3',
        'deposit 3',
        'float 1',
        'gas 1',
        'gas 1',
      ],
      'no_support_contact 1',
      'no_transaction 1',
    ]);
  });
});
