import { beforeAll, describe, expect, it } from '@jest/globals';
import { PlanDatabase } from '#test/support/plan-database.js';
import { executed, PLANS } from '#test/support/plans.js';
import { PRUNE_PEOPLE } from '#contexts/identity/infrastructure/people/persistence/prune-people.js';
import { PRUNE_EXCHANGE_ATTEMPTS } from '#contexts/identity/infrastructure/credentials/persistence/exchange-attempts.js';
import {
  FORGET_PAYERS,
  LOCK_DUE_OPENINGS,
} from '#contexts/payments/infrastructure/links/persistence/payment-link-sessions.js';
import { PRUNE_COMPARED } from '#contexts/payments/infrastructure/evaluation/postgres-native-balances.js';
import { PRUNE_BLOCKS_SQL } from '#contexts/chain-watching/infrastructure/persistence/watched-chain.js';
import { PRUNE_DELIVERIES } from '#contexts/webhooks/infrastructure/delivery/persistence/prune-deliveries.js';
import { PRUNE_KEYS } from '#shared/platform/idempotency/idempotency-keys.sql.js';

/** Rows of each table that are too young. */
const YOUNG = 20_000;
/** Rows of each table that are old enough, less than a step takes. */
const OLD = 5;
const LIMIT = 100;

const DIGEST = `sha256(n::text::bytea)`;
/** n is 1 to 5 of those that are old. The others stay young however long the test takes. */
const AT = `CASE WHEN n <= ${OLD} THEN platform.now() - interval '200 days' ELSE platform.now() + interval '1 hour' END`;
const UNTIL = `CASE WHEN n <= ${OLD} THEN platform.now() - interval '200 days' ELSE platform.now() + interval '1 day' END`;
/** UUIDs that grow with time. */
const ID = `('01800000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid`;

const OLD_IDS = `'{${Array.from({ length: OLD }, (_, n) => `01800000-0000-7000-8000-${String(n + 1).padStart(12, '0')}`).join()}}'`;

/** Rows without what they refer to, by table: how each looks of the numbers n. */
const ROWS = {
  'platform.idempotency_keys': `SELECT ${ID}, 'key', 'POST /', ${DIGEST}, ${ID}, NULL, '{}', NULL, ${AT}`,
  'identity.exchange_attempts': `SELECT ${DIGEST}, ${AT}, 1`,
  'identity.dashboard_sessions': `SELECT ${ID}, ${DIGEST}, ${ID}, 'signed_in', '', '', NULL, NULL, ${AT}, ${AT}, ${UNTIL}`,
  'identity.known_devices': `SELECT ${DIGEST}, ${ID}, ${UNTIL}`,
  'identity.sign_in_failures': `SELECT ${DIGEST}, 1, ${UNTIL}`,
  'identity.invitations': `SELECT ${ID}, ${DIGEST}, ${ID}, n || '@shop.example', 'viewer', '', ${UNTIL}, ${AT}`,
  'identity.pairing_codes': `SELECT ${DIGEST}, ${ID}, ${ID}, ${ID}, ${ID}, ${UNTIL}`,
  'identity.pending_secrets': `SELECT ${ID}, ${ID}, '', '', ${AT}, ${UNTIL}`,
  'identity.shown_once': `SELECT ${DIGEST}, ${ID}, '/app', '', ${UNTIL}`,
  'identity.named_recipients': `SELECT ${ID}, ${ID}, ${DIGEST}, ${UNTIL}`,
  'identity.reset_links': `SELECT ${DIGEST}, ${ID}, true, ${AT}, ${UNTIL}`,
  'payments.link_openings': `SELECT ${ID}, ${ID}, NULL, ${UNTIL}, ${UNTIL}`,
  'payments.payment_link_sessions': `SELECT ${ID}, ${DIGEST}, ${ID}, ${AT}`,
  'payments.blocks': `SELECT 'erc20', n, n::text, (n - 1)::text, ${AT}`,
  'payments.balance_looks': `SELECT 'erc20', n::text, NULL, ${AT}`,
} as const;

const DELIVERIES = `
INSERT INTO webhooks.deliveries (id, organization_id, account_id, webhook_id, event_id, event_type, payment_request_id, body, status)
  SELECT ${ID}, ${ID}, ${ID}, ${ID}, ${ID}, 'payment_request', ${ID}, '{}', 'delivered' FROM generate_series(1, ${YOUNG}) n;
INSERT INTO webhooks.delivery_attempts (id, organization_id, account_id, delivery_id, webhook_id, event_type, payment_request_id,
    attempt, status, http_status, created_at)
  SELECT ${ID}, ${ID}, ${ID}, ${ID}, ${ID}, 'payment_request', ${ID}, 1, 'delivered', 200, ${AT} FROM generate_series(1, ${YOUNG}) n;
INSERT INTO platform.events (id, type, aggregate_id, organization_id, account_id, occurred_at, data)
  SELECT ${ID}, 'payment_request.status_changed', ${ID}, ${ID}, ${ID}, ${AT}, '{}' FROM generate_series(1, ${YOUNG}) n;
INSERT INTO payments.payment_requests (id, organization_id, account_id, point_of_sale_id, type, status, token, created_at,
    expires_at, counts_until)
  SELECT ${ID}, ${ID}, ${ID}, ${ID}, 'fixed', 'expired', '', ${AT}, ${AT}, ${AT} FROM generate_series(1, ${YOUNG}) n;
INSERT INTO payments.chain_cursors (network, head_number, head_hash, head_time, final_number, final_time)
  VALUES ('erc20', ${YOUNG}, 'x', platform.now(), 5006, platform.now());`;

interface Pruning {
  readonly text: string;
  readonly types: readonly string[];
  readonly values: readonly string[];
}
const limited = (text: string): Pruning => ({ text, types: ['integer'], values: [`${LIMIT}`] });

const PRUNINGS: Readonly<Record<string, Pruning>> = {
  'idempotency keys': limited(PRUNE_KEYS),
  'exchange attempts': limited(PRUNE_EXCHANGE_ATTEMPTS),
  ...Object.fromEntries(Object.entries(PRUNE_PEOPLE).map(([table, text]) => [table, limited(text)])),
  'link sessions': limited(LOCK_DUE_OPENINGS),
  'payers of link sessions': { text: FORGET_PAYERS, types: ['uuid[]'], values: [OLD_IDS] },
  blocks: { text: PRUNE_BLOCKS_SQL, types: ['integer', 'integer'], values: ['5000', `${LIMIT}`] },
  'looks at balances': { text: PRUNE_COMPARED, types: ['integer', 'integer'], values: ['7', `${LIMIT}`] },
  deliveries: {
    text: PRUNE_DELIVERIES,
    types: ['integer', 'timestamptz', 'uuid', 'integer'],
    values: ['90', `'-infinity'`, `'00000000-0000-0000-0000-000000000000'`, `${LIMIT}`],
  },
};

const database = new PlanDatabase(async (filled) => {
  for (const [table, rows] of Object.entries(ROWS))
    await filled.query(`INSERT INTO ${table} ${rows} FROM generate_series(1, ${YOUNG}) n`);
  await filled.query(DELIVERIES);
});

/** Tables with one row for the whole service: that row is read, however it is read. */
const SINGLE = ['clock_offset', 'chain_cursors'];

/** Without statistics the planner takes a third of all rows for old enough, as it does of a table that has changed much. */
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

    const read = scans.filter(({ relation }) => !SINGLE.includes(relation));
    expect(read.length).toBeGreaterThan(0);
    expect(read.filter(({ kind, rows }) => rows > (kind === 'Seq Scan' ? 0 : 2 * OLD))).toEqual([]);
    expect(Math.max(...read.map(({ rows }) => rows))).toBeGreaterThanOrEqual(OLD);
  });
});
