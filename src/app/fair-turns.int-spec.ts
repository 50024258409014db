import { beforeAll, describe, expect, it } from '@jest/globals';
import { PlanDatabase } from '#test/support/plan-database.js';
import { executed, PLANS } from '#test/support/plans.js';
import { SELECT_DUE_CHANNEL_MESSAGES_SQL } from '#contexts/notifications/infrastructure/persistence/chat-channels.js';
import { SELECT_DUE_RULES_SQL } from '#contexts/notifications/infrastructure/persistence/pending-notifications.js';
import { DUE_AUTHORIZATIONS } from '#contexts/payments/infrastructure/authorizations/persistence/authorization-rows.js';
import { DUE_PAYER_MAILS } from '#contexts/payments/infrastructure/receipts/persistence/payer-mails.js';
import { EXPIRED_WITHOUT_ASSET } from '#contexts/payments/infrastructure/requests/persistence/status-and-deadline.sql.js';
import { LOCK_EXPIRED_UNCLAIMED_SQL } from '#contexts/settlement/infrastructure/refunds/persistence/postgres-refunds.js';
import { LOCK_DUE_SUBSCRIPTIONS_SQL } from '#contexts/subscriptions/infrastructure/persistence/postgres-subscriptions.js';
import { WEBHOOKS_WITH_DELIVERIES_TO_FAIL_SQL } from '#contexts/webhooks/infrastructure/delivery/persistence/postgres-inactive-webhook-deliveries.js';

/** Number of due rows of the busy organization in each queue. One row of another organization is due after them. */
const BUSY_ROWS = 3_000;
const LIMIT = 20;
const ID = `('01800000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid`;
const OF_OTHER = `01800000-0000-7000-8000-${String(BUSY_ROWS + 1).padStart(12, '0')}`;
const ORGANIZATION = `CASE WHEN n <= ${BUSY_ROWS} THEN ('00000000-0000-0000-0000-000000000000')::uuid ELSE ${ID} END`;
const AT = `platform.now() - interval '1 hour' + n * interval '1 ms'`;

/** A queue table: how to fill row n, the statement that claims rows, and its parameters before the limit. */
interface QueueTable {
  readonly table: string;
  readonly columns: string;
  readonly values: string;
  readonly take: string;
  readonly parameters?: readonly (readonly [type: string, value: string])[];
}

const QUEUE_TABLES: Readonly<Record<string, QueueTable>> = {
  'payments by signature': {
    table: 'payments.authorizations',
    columns: `id, payment_request_id, account_id, network, token, signature, unique_asset_id, from_address, valid_after, to_address,
      value, valid_before, reserved_cost, nonce, limit_of_payment, limit_of_organization, limit_of_day, due_at`,
    values: `${ID}, ${ID}, ${ID}, 'erc20', '', '\\x00', 'nerc20_t', '0x' || lpad(n::text, 40, '0'), 0, '0x' || lpad('', 40, '0'),
      1, 1, 1, '0x' || lpad(n::text, 64, '0'), 1, 1, 1, ${AT}`,
    take: DUE_AUTHORIZATIONS,
    parameters: [['text', 'erc20']],
  },
  'checkouts without an asset': {
    table: 'payments.payment_requests',
    columns: 'id, account_id, point_of_sale_id, type, status, token, created_at, expires_at, counts_until',
    values: `${ID}, ${ID}, ${ID}, 'fixed', 'pending', '', ${AT}, ${AT}, ${AT}`,
    take: EXPIRED_WITHOUT_ASSET,
    parameters: [['timestamptz', 'now']],
  },
  'mails with receipts': {
    table: 'payments.payer_mails',
    columns:
      'payment_request_id, account_id, recipient, address_digest, language, asked_by, asked_at, due_at',
    values: `${ID}, ${ID}, '', sha256(''), 'en', 'payer', ${AT}, ${AT}`,
    take: DUE_PAYER_MAILS,
  },
  'notification rules': {
    table: 'notices.rules',
    columns: 'id, account_id, kinds, every_minutes, time_zone, due_at, created_at, updated_at',
    values: `${ID}, ${ID}, '{deposit}', 5, 'UTC', ${AT}, ${AT}, ${AT}`,
    take: SELECT_DUE_RULES_SQL,
  },
  'messages to chats': {
    table: 'notices.channel_messages',
    columns: 'id, channel_id, title, body, due_at',
    values: `${ID}, ${ID}, '', '', ${AT}`,
    take: SELECT_DUE_CHANNEL_MESSAGES_SQL,
  },
  subscriptions: {
    table: 'subscriptions.subscriptions',
    columns: `id, account_id, point_of_sale_id, code, merchant_name, network, unique_asset_id, currency, decimals, amount,
      "interval", status, offered_until, next_step_at, created_at, updated_at`,
    values: `${ID}, ${ID}, ${ID}, lpad(n::text, 22, '0'), '', 'erc20', '', '', 6, 1, 'P1M', 'pending', ${AT}, ${AT}, ${AT}, ${AT}`,
    take: LOCK_DUE_SUBSCRIPTIONS_SQL,
  },
  'refunds whose claim has ended': {
    table: 'settlement.refunds',
    columns: `id, account_id, payment_request_id, point_of_sale_id, merchant_name, network, token, unique_asset_id, currency, decimals,
      amount, status, paid_by, claim_digest, claim_expires_at, created_at, updated_at`,
    values: `${ID}, ${ID}, ${ID}, ${ID}, '', 'erc20', '', 'nerc20_t', '', 6, 1, 'pending', 'float', sha256(n::text::bytea),
      ${AT}, ${AT}, ${AT}`,
    take: LOCK_EXPIRED_UNCLAIMED_SQL,
  },
  'deactivated webhooks': {
    table: 'webhooks.webhooks',
    columns: 'id, account_id, event_type, url, secret_key_id, sealed_secret, ending_deliveries',
    values: `${ID}, ${ID}, 'refund', '', '', '', true`,
    take: WEBHOOKS_WITH_DELIVERIES_TO_FAIL_SQL,
  },
};

const database = new PlanDatabase(async (client) => {
  for (const { table, columns, values } of Object.values(QUEUE_TABLES))
    await client.query(
      `INSERT INTO ${table} (organization_id, ${columns}) SELECT ${ORGANIZATION}, ${values} FROM generate_series(1, ${BUSY_ROWS + 1}) n`,
    );
  await client.query(
    `INSERT INTO payments.receipts SELECT lpad(n::text, 23, '0'), ${ID}, ${ID}, ${ID}, ${AT} FROM generate_series(1, ${BUSY_ROWS + 1}) n`,
  );
});

describe.each(Object.entries(QUEUE_TABLES))(
  'A queue with very many entries of one organization: %s',
  (_, { table, take, parameters = [] }) => {
    const all = [...parameters, ['bigint', `${LIMIT}`] as const];

    beforeAll(() => database.client.query(`VACUUM ANALYZE ${table}, payments.receipts`));

    it('serves the first row of another organization before the second row of the busy one', async () => {
      const values = all.map(([, value]) => value);
      const { rows } = await database.client.query<Record<string, unknown>>(take, values);

      expect(rows).toHaveLength(LIMIT);
      expect(rows.filter((row) => Object.values(row).includes(OF_OTHER))).toHaveLength(1);
    });

    it.each(PLANS)('reads at most five times as many rows as it returns: %s', async (mode) => {
      const types = all.map(([type]) => type);
      const literals = all.map(([, value]) => `'${value}'`);
      const { scans } = await executed(database.client, take, types, literals, mode);

      const read = scans.filter(({ relation }) => table.endsWith(relation));
      expect(read.length).toBeGreaterThan(0);
      expect(read.filter(({ rows }) => rows > 5 * LIMIT)).toEqual([]);
    });
  },
);
