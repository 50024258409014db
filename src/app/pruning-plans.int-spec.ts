import { beforeAll, describe, expect, it } from '@jest/globals';
import { PlanDatabase } from '#test/support/plan-database.js';
import { executed, PLANS } from '#test/support/plans.js';
import { PRUNE_STATEMENTS_BY_TABLE } from '#contexts/identity/infrastructure/people/persistence/prune-expired-sign-in-data.js';
import { PRUNE_AUTHENTICATION_ATTEMPTS } from '#contexts/identity/infrastructure/credentials/persistence/authentication-attempts.js';
import {
  DELETE_ENDED_LINK_SESSIONS,
  LOCK_DUE_OPENINGS,
} from '#contexts/payments/infrastructure/links/persistence/payment-link-sessions.js';
import { PRUNE_BALANCE_COMPARISONS } from '#contexts/payments/infrastructure/evaluation/postgres-native-balances.js';
import { PRUNE_BLOCKS_SQL } from '#contexts/chain-watching/infrastructure/persistence/postgres-watched-chains.js';
import { PRUNE_DELIVERIES_SQL } from '#contexts/webhooks/infrastructure/delivery/persistence/prune-deliveries.js';
import { PRUNE_IDEMPOTENCY_KEYS } from '#shared/platform/idempotency/idempotency-keys.sql.js';

/** Number of rows in each table that are too young to be pruned. */
const YOUNG_ROWS = 20_000;
/** Number of rows in each table that are old enough to be pruned, fewer than one step prunes. */
const OLD_ROWS = 5;
const LIMIT = 100;

const DIGEST = `sha256(n::text::bytea)`;
/** SQL for the time of row n. The first five rows are old; the others stay young, however long the test takes. */
const TIME_OF_ROW = `CASE WHEN n <= ${OLD_ROWS} THEN platform.now() - interval '200 days' ELSE platform.now() + interval '1 hour' END`;
const END_OF_ROW = `CASE WHEN n <= ${OLD_ROWS} THEN platform.now() - interval '200 days' ELSE platform.now() + interval '1 day' END`;
/** SQL for UUIDs that increase with n, like UUIDs ordered by time. */
const ID_OF_ROW = `('01800000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid`;

const OLD_IDS = `'{${Array.from({ length: OLD_ROWS }, (_, n) => `01800000-0000-7000-8000-${String(n + 1).padStart(12, '0')}`).join()}}'`;

/** SQL by table for row n, without the rows that it references. */
const ROWS_BY_TABLE = {
  'platform.idempotency_keys': `SELECT ${ID_OF_ROW}, 'key', 'POST /', ${DIGEST}, ${ID_OF_ROW}, NULL, '{}', NULL, ${TIME_OF_ROW}`,
  'identity.exchange_attempts': `SELECT ${DIGEST}, ${TIME_OF_ROW}, 1`,
  'identity.dashboard_sessions': `SELECT ${ID_OF_ROW}, ${DIGEST}, ${ID_OF_ROW}, 'signed_in', '', '', NULL, NULL, ${TIME_OF_ROW}, ${TIME_OF_ROW}, ${END_OF_ROW}`,
  'identity.known_devices': `SELECT ${DIGEST}, ${ID_OF_ROW}, ${END_OF_ROW}`,
  'identity.sign_in_failures': `SELECT ${DIGEST}, 1, ${END_OF_ROW}`,
  'identity.invitations': `SELECT ${ID_OF_ROW}, ${DIGEST}, ${ID_OF_ROW}, n || '@shop.example', 'viewer', '', ${END_OF_ROW}, ${TIME_OF_ROW}`,
  'identity.pairing_codes': `SELECT ${DIGEST}, ${ID_OF_ROW}, ${ID_OF_ROW}, ${ID_OF_ROW}, ${ID_OF_ROW}, ${END_OF_ROW}`,
  'identity.pending_secrets': `SELECT ${ID_OF_ROW}, ${ID_OF_ROW}, '', '', ${TIME_OF_ROW}, ${END_OF_ROW}`,
  'identity.shown_once': `SELECT ${DIGEST}, ${ID_OF_ROW}, '/app', '', ${END_OF_ROW}`,
  'identity.named_recipients': `SELECT ${ID_OF_ROW}, ${ID_OF_ROW}, ${DIGEST}, ${END_OF_ROW}`,
  'identity.reset_links': `SELECT ${DIGEST}, ${ID_OF_ROW}, true, ${TIME_OF_ROW}, ${END_OF_ROW}`,
  'payments.link_openings': `SELECT ${ID_OF_ROW}, ${ID_OF_ROW}, NULL, ${END_OF_ROW}, ${END_OF_ROW}`,
  'payments.payment_link_sessions': `SELECT ${ID_OF_ROW}, ${DIGEST}, ${ID_OF_ROW}, ${TIME_OF_ROW}`,
  'payments.blocks': `SELECT 'erc20', n, n::text, (n - 1)::text, ${TIME_OF_ROW}`,
  'payments.balance_looks': `SELECT 'erc20', n::text, NULL, ${TIME_OF_ROW}`,
} as const;

const DELIVERIES = `
INSERT INTO webhooks.deliveries (id, organization_id, account_id, webhook_id, event_id, event_type, payment_request_id, body, status)
  SELECT ${ID_OF_ROW}, ${ID_OF_ROW}, ${ID_OF_ROW}, ${ID_OF_ROW}, ${ID_OF_ROW}, 'payment_request', ${ID_OF_ROW}, '{}', 'delivered' FROM generate_series(1, ${YOUNG_ROWS}) n;
INSERT INTO webhooks.delivery_attempts (id, organization_id, account_id, delivery_id, webhook_id, event_type, payment_request_id,
    attempt, status, http_status, created_at)
  SELECT ${ID_OF_ROW}, ${ID_OF_ROW}, ${ID_OF_ROW}, ${ID_OF_ROW}, ${ID_OF_ROW}, 'payment_request', ${ID_OF_ROW}, 1, 'delivered', 200, ${TIME_OF_ROW} FROM generate_series(1, ${YOUNG_ROWS}) n;
INSERT INTO platform.events (id, type, aggregate_id, organization_id, account_id, occurred_at, data)
  SELECT ${ID_OF_ROW}, 'payment_request.status_changed', ${ID_OF_ROW}, ${ID_OF_ROW}, ${ID_OF_ROW}, ${TIME_OF_ROW}, '{}' FROM generate_series(1, ${YOUNG_ROWS}) n;
INSERT INTO payments.payment_requests (id, organization_id, account_id, point_of_sale_id, type, status, token, created_at,
    expires_at, counts_until)
  SELECT ${ID_OF_ROW}, ${ID_OF_ROW}, ${ID_OF_ROW}, ${ID_OF_ROW}, 'fixed', 'expired', '', ${TIME_OF_ROW}, ${TIME_OF_ROW}, ${TIME_OF_ROW} FROM generate_series(1, ${YOUNG_ROWS}) n;
INSERT INTO payments.chain_cursors (network, head_number, head_hash, head_time, final_number, final_time)
  VALUES ('erc20', ${YOUNG_ROWS}, 'x', platform.now(), 5006, platform.now());`;

interface Pruning {
  readonly text: string;
  readonly types: readonly string[];
  readonly values: readonly string[];
}
const limited = (text: string): Pruning => ({ text, types: ['integer'], values: [`${LIMIT}`] });

const PRUNINGS: Readonly<Record<string, Pruning>> = {
  'idempotency keys': limited(PRUNE_IDEMPOTENCY_KEYS),
  'exchange attempts': limited(PRUNE_AUTHENTICATION_ATTEMPTS),
  ...Object.fromEntries(
    Object.entries(PRUNE_STATEMENTS_BY_TABLE).map(([table, text]) => [table, limited(text)]),
  ),
  'link sessions': limited(LOCK_DUE_OPENINGS),
  'payers of link sessions': { text: DELETE_ENDED_LINK_SESSIONS, types: ['uuid[]'], values: [OLD_IDS] },
  blocks: { text: PRUNE_BLOCKS_SQL, types: ['integer', 'integer'], values: ['5000', `${LIMIT}`] },
  'looks at balances': {
    text: PRUNE_BALANCE_COMPARISONS,
    types: ['integer', 'integer'],
    values: ['7', `${LIMIT}`],
  },
  deliveries: {
    text: PRUNE_DELIVERIES_SQL,
    types: ['integer', 'timestamptz', 'uuid', 'integer'],
    values: ['90', `'-infinity'`, `'00000000-0000-0000-0000-000000000000'`, `${LIMIT}`],
  },
};

const database = new PlanDatabase(async (filled) => {
  for (const [table, rows] of Object.entries(ROWS_BY_TABLE))
    await filled.query(`INSERT INTO ${table} ${rows} FROM generate_series(1, ${YOUNG_ROWS}) n`);
  await filled.query(DELIVERIES);
});

/** Tables with a single row. A full scan of them is no problem. */
const SINGLE_ROW_TABLES = ['clock_offset', 'chain_cursors'];

/** With and without statistics. Without them, the planner assumes that a third of all rows is old enough. */
const STATISTICS = ['VACUUM', 'VACUUM ANALYZE'].flatMap((known) =>
  PLANS.map((mode) => [known, mode] as const),
);

describe.each(STATISTICS)('Pruning among many recent rows, after %s, with %s', (known, mode) => {
  beforeAll(() => database.client.query(known));

  it.each(Object.entries(PRUNINGS))('reads only old rows: %s', async (_, pruning) => {
    await database.client.query('BEGIN');
    const { text, types, values } = pruning;
    const { scans } = await executed(database.client, text, types, values, mode).finally(() =>
      database.client.query('ROLLBACK'),
    );

    const read = scans.filter(({ relation }) => !SINGLE_ROW_TABLES.includes(relation));
    expect(read.length).toBeGreaterThan(0);
    expect(read.filter(({ kind, rows }) => rows > (kind === 'Seq Scan' ? 0 : 2 * OLD_ROWS))).toEqual([]);
    expect(Math.max(...read.map(({ rows }) => rows))).toBeGreaterThanOrEqual(OLD_ROWS);
  });
});
