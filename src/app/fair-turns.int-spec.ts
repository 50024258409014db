import { beforeAll, describe, expect, it } from '@jest/globals';
import { PlanDatabase } from '#test/support/plan-database.js';
import { executed, PLANS } from '#test/support/plans.js';
import { DUE_RULES } from '#contexts/notices/infrastructure/persistence/postgres-pending.js';
import { DUE } from '#contexts/payments/infrastructure/authorizations/persistence/authorization-rows.js';
import { DUE_PAYER_MAILS } from '#contexts/payments/infrastructure/receipts/persistence/postgres-payer-mails.js';
import { DUE_UNSELECTED } from '#contexts/payments/infrastructure/requests/persistence/status-and-deadline.sql.js';
import { LOCK_UNCLAIMED } from '#contexts/settlement/infrastructure/refunds/persistence/postgres-refunds.js';
import { LOCK_DUE } from '#contexts/subscriptions/infrastructure/persistence/postgres-subscriptions.js';
import { ENDING_WEBHOOKS } from '#contexts/webhooks/infrastructure/delivery/persistence/postgres-inactive-deliveries.js';

/** Due rows of the busy organization in each queue; the row after them is another organization's, and due last. */
const BUSY = 20_000;
const LIMIT = 20;

const ID = `('01800000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid`;
const OF_OTHER = `01800000-0000-7000-8000-${String(BUSY + 1).padStart(12, '0')}`;
const ORGANIZATION = `CASE WHEN n <= ${BUSY} THEN ('00000000-0000-0000-0000-000000000000')::uuid ELSE ${ID} END`;
const AT = `platform.now() - interval '1 hour' + n * interval '1 ms'`;

/** Columns beside `organization_id`, with a value of the row n, and the statement that takes rows, with values of its parameters. */
interface Queue {
  readonly table: string;
  readonly columns: Readonly<Record<string, string>>;
  readonly take: string;
  readonly parameters: readonly (readonly [type: string, value: string])[];
}

const MONEY = {
  network: `'erc20'`,
  token: `''`,
  unique_asset_id: `'nerc20_t'`,
  currency: `''`,
  decimals: '6',
};
const ONE_LIMIT = [['bigint', `${LIMIT}`]] as const;

const QUEUES: Readonly<Record<string, Queue>> = {
  'payments by signature': {
    table: 'payments.authorizations',
    columns: {
      ...{
        id: ID,
        payment_request_id: ID,
        account_id: ID,
        network: `'erc20'`,
        token: `''`,
        signature: `'\\x00'`,
      },
      ...{ unique_asset_id: `'nerc20_t'`, from_address: `'0x' || lpad(n::text, 40, '0')`, valid_after: '0' },
      ...{ to_address: `'0x' || lpad('', 40, '0')`, value: '1', valid_before: '1', reserved_cost: '1' },
      ...{ nonce: `'0x' || lpad(n::text, 64, '0')`, limit_of_payment: '1', limit_of_organization: '1' },
      ...{ limit_of_day: '1', due_at: AT },
    },
    take: DUE,
    parameters: [['text', 'erc20'], ...ONE_LIMIT],
  },
  'checkouts without an asset': {
    table: 'payments.payment_requests',
    columns: {
      ...{ id: ID, account_id: ID, point_of_sale_id: ID, type: `'fixed'`, status: `'pending'`, token: `''` },
      ...{ created_at: AT, expires_at: AT, counts_until: AT },
    },
    take: DUE_UNSELECTED,
    parameters: [['timestamptz', 'now'], ...ONE_LIMIT],
  },
  'mails with receipts': {
    table: 'payments.payer_mails',
    columns: {
      ...{
        payment_request_id: ID,
        account_id: ID,
        recipient: `''`,
        address_digest: `sha256('')`,
        language: `'en'`,
      },
      ...{ asked_by: `'payer'`, asked_at: AT, due_at: AT },
    },
    take: DUE_PAYER_MAILS,
    parameters: ONE_LIMIT,
  },
  'mail rules': {
    table: 'notices.rules',
    columns: {
      ...{ id: ID, account_id: ID, kinds: `'{deposit}'`, every_minutes: '5', time_zone: `'UTC'`, due_at: AT },
      ...{ created_at: AT, updated_at: AT },
    },
    take: DUE_RULES,
    parameters: ONE_LIMIT,
  },
  subscriptions: {
    table: 'subscriptions.subscriptions',
    columns: {
      ...{
        id: ID,
        account_id: ID,
        point_of_sale_id: ID,
        code: `lpad(n::text, 22, '0')`,
        merchant_name: `''`,
      },
      ...{
        network: `'erc20'`,
        unique_asset_id: `''`,
        currency: `''`,
        decimals: '6',
        amount: '1',
        interval: `'P1M'`,
      },
      ...{ status: `'pending'`, offered_until: AT, next_step_at: AT, created_at: AT, updated_at: AT },
    },
    take: LOCK_DUE,
    parameters: ONE_LIMIT,
  },
  'refunds whose claim has ended': {
    table: 'settlement.refunds',
    columns: {
      ...{
        id: ID,
        account_id: ID,
        payment_request_id: ID,
        point_of_sale_id: ID,
        merchant_name: `''`,
        ...MONEY,
      },
      ...{ amount: '1', status: `'pending'`, paid_by: `'float'`, claim_digest: `sha256(n::text::bytea)` },
      ...{ claim_expires_at: AT, created_at: AT, updated_at: AT },
    },
    take: LOCK_UNCLAIMED,
    parameters: ONE_LIMIT,
  },
  'deactivated webhooks': {
    table: 'webhooks.webhooks',
    columns: {
      ...{
        id: ID,
        account_id: ID,
        event_type: `'refund'`,
        url: `''`,
        secret_key_id: `''`,
        sealed_secret: `''`,
      },
      ending_deliveries: 'true',
    },
    take: ENDING_WEBHOOKS,
    parameters: ONE_LIMIT,
  },
};

const database = new PlanDatabase(async (client) => {
  for (const { table, columns } of Object.values(QUEUES)) {
    const names = Object.keys(columns).map((name) => `"${name}"`);
    await client.query(
      `INSERT INTO ${table} (organization_id, ${names.join()}) SELECT ${ORGANIZATION}, ${Object.values(columns).join()}
       FROM generate_series(1, ${BUSY + 1}) n`,
    );
  }
  await client.query(
    `INSERT INTO payments.receipts SELECT lpad(n::text, 23, '0'), ${ID}, ${ID}, ${ID}, ${AT} FROM generate_series(1, ${BUSY + 1}) n`,
  );
});

describe.each(Object.entries(QUEUES))(
  'One organization with very many %s',
  (_, { table, take, parameters }) => {
    beforeAll(() => database.client.query('VACUUM ANALYZE'));

    it('has its second taken after the first of another one', async () => {
      const values = parameters.map(([, value]) => value);
      const { rows } = await database.client.query<Record<string, unknown>>(take, values);

      expect(rows).toHaveLength(LIMIT);
      expect(rows.filter((row) => Object.values(row).includes(OF_OTHER))).toHaveLength(1);
    });

    it.each(PLANS)('has no more rows read than are taken (%s)', async (mode) => {
      const types = parameters.map(([type]) => type);
      const literals = parameters.map(([, value]) => `'${value}'`);
      const { scans } = await executed(database.client, take, types, literals, mode);

      const read = scans.filter(({ relation }) => table.endsWith(relation));
      expect(read.length).toBeGreaterThan(0);
      expect(read.filter(({ rows }) => rows > 5 * LIMIT)).toEqual([]);
    });
  },
);
