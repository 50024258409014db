import { beforeAll, describe, expect, it } from '@jest/globals';
import { PlanDatabase } from '#test/support/plan-database.js';
import { executed, PLANS } from '#test/support/plans.js';
import {
  REQUESTS_PAST_DEADLINE,
  REQUESTS_PAST_DEADLINE_ON_EACH_OF_THEIR_NETWORKS,
} from '#contexts/payments/infrastructure/evaluation/past-deadline.sql.js';
import { OLDEST_TO_MARK_FINAL } from '#contexts/payments/infrastructure/evaluation/postgres-recorded-transfers.js';
import {
  KNOWN_OR_CONFLICTING_TRANSFERS,
  NEXT_PENDING_TRANSFERS,
  REQUEST_TERMS,
} from '#contexts/payments/infrastructure/evaluation/postgres-pending-transfer-records.js';
import { BALANCES_OF_OPEN_REQUESTS } from '#contexts/payments/infrastructure/evaluation/postgres-native-balances.js';
import { EVENTS_AFTER_CHECKPOINT } from '#contexts/webhooks/infrastructure/destinations/postgres-event-destinations.js';
import { CLAIM_JOBS_BY_LANE } from '#shared/platform/due-work/scheduled-jobs.sql.js';
import { POLL_ALL_SUBSCRIBERS, POLL_SUBSCRIBER } from '#shared/platform/event-log/subscriber-runner.js';

/** Number of rows in each table that are already finished. */
const FINISHED_ROWS = 20_000;
/** Number of open payment requests that can be paid in the network's coin. */
const OPEN_COIN_REQUESTS = 5;
/** Number of open payment requests that can be paid in a token. */
const OPEN_TOKEN_REQUESTS = 10_000;
const SUBSCRIBERS = ['first', 'second'];
/** Number of jobs waiting in one lane, so many that the statistics contain no other lane. */
const WAITING_JOBS = 60_000;
/** Lane of scheduled jobs without free capacity. */
const BUSY_LANE = '01700000-0000-7000-8000-000000000000';

/** SQL for UUIDs that increase with n, like UUIDs ordered by time. */
const ID_OF_ROW = `('01800000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid`;
const NUMBERS = `generate_series(1, ${FINISHED_ROWS}) n`;

/**
 * Inserts rows without the rows they reference. All events are read, all except the last are published, payment
 * requests are open or ended, and jobs wait in one lane.
 */
const INSERT_ROWS = `
INSERT INTO platform.events (id, type, aggregate_id, organization_id, account_id, occurred_at, data)
  SELECT ${ID_OF_ROW}, 'payment_request.status_changed', ${ID_OF_ROW}, ${ID_OF_ROW}, ${ID_OF_ROW}, platform.now(), '{}' FROM ${NUMBERS};
INSERT INTO platform.subscriber_positions (subscriber, transaction_id, position)
  SELECT name, e.transaction_id, e.position FROM unnest('{${SUBSCRIBERS.join()}}'::text[]) name,
    (SELECT * FROM platform.events ORDER BY transaction_id DESC, position DESC LIMIT 1) e;
INSERT INTO payments.payment_requests (id, organization_id, account_id, point_of_sale_id, type, status, token, created_at,
    expires_at, counts_until, network, unique_asset_id, currency, decimals, amount)
  SELECT ${ID_OF_ROW}, ${ID_OF_ROW}, ${ID_OF_ROW}, ${ID_OF_ROW}, 'fixed', CASE WHEN n <= ${OPEN_COIN_REQUESTS + OPEN_TOKEN_REQUESTS} THEN 'created' ELSE 'expired' END, '',
    platform.now(), platform.now(), platform.now(), 'erc20', CASE WHEN n <= ${OPEN_COIN_REQUESTS} THEN 'coin' ELSE 'token' END, 'COIN', 18, 1
  FROM ${NUMBERS};
INSERT INTO payments.balance_watch (network, payment_request_id) SELECT 'erc20', ${ID_OF_ROW} FROM generate_series(1, ${OPEN_COIN_REQUESTS}) n;
INSERT INTO payments.deposit_addresses (network, address, payment_request_id, organization_id, account_id, unique_asset_id,
    derivation, settlement_terms_id, settlement_address, fee_recipient,
    fee_basis_points, created_at)
  SELECT 'erc20', '0x' || lpad(n::text, 40, '0'), ${ID_OF_ROW}, ${ID_OF_ROW}, ${ID_OF_ROW}, 'coin', '{}', ${ID_OF_ROW}, '', '', 0, platform.now()
  FROM ${NUMBERS};
INSERT INTO payments.transfers (id, network, kind, transaction_hash, index, block_number, block_hash, block_time, arrived_at,
    seen_at, lapses_at, evidence, unique_asset_id, currency, decimals, required_confirmations, from_address, to_address, amount,
    payment_request_id, organization_id, account_id, canonical, counted, final, detected_at)
  SELECT ${ID_OF_ROW}, 'erc20', 'output', n::text, 0, block, block::text, CASE WHEN block IS NOT NULL THEN platform.now() END,
    platform.now(), platform.now(), platform.now() + n * interval '1 second',
    jsonb_build_object('spends', jsonb_build_array(n || ':0')), 'coin', 'COIN', 18, 1, '', n::text, 1, ${ID_OF_ROW}, ${ID_OF_ROW}, ${ID_OF_ROW},
    true, false, block IS NOT NULL, platform.now()
  FROM (SELECT n, CASE WHEN n > ${OPEN_COIN_REQUESTS} THEN n END AS block FROM ${NUMBERS}) blocks;
INSERT INTO webhooks.events (id, organization_id, account_id, event_type, body, occurred_at)
  SELECT ${ID_OF_ROW}, ${ID_OF_ROW}, ${ID_OF_ROW}, 'settlement', '{}', platform.now() FROM ${NUMBERS};
INSERT INTO webhooks.destinations (name, number) SELECT 'teams', max(number) - ${OPEN_COIN_REQUESTS} FROM webhooks.events;
INSERT INTO platform.due_work (kind, key, lane, due_at)
  SELECT 'mail', ${ID_OF_ROW}, '${BUSY_LANE}', platform.now() - interval '1 day' + n * interval '1 ms' FROM generate_series(1, ${WAITING_JOBS}) n;
INSERT INTO platform.due_work (kind, key, lane, due_at)
  VALUES ('mail', gen_random_uuid(), gen_random_uuid(), platform.now());`;

const BEFORE_ANY_DEADLINE = {
  types: ['text', 'timestamptz', 'timestamptz', 'integer', 'text[]'],
  values: [`'erc20'`, `'2000-01-01'`, `'2000-01-01'`, '500', `'{erc20,other}'`],
};

const POLLS = {
  'a subscriber of the event log': { text: POLL_SUBSCRIBER, types: ['text'], values: [`'first'`] },
  'all subscribers of the event log': {
    text: POLL_ALL_SUBSCRIBERS,
    types: ['text[]'],
    values: [`'{${SUBSCRIBERS.join()}}'`],
  },
  'balances of open requests': {
    text: BALANCES_OF_OPEN_REQUESTS,
    types: ['text', 'text', 'uuid', 'integer'],
    values: [`'erc20'`, `'coin'`, `'00000000-0000-0000-0000-000000000000'`, '500'],
  },
  'transfers in no block': {
    text: NEXT_PENDING_TRANSFERS,
    types: ['text', 'timestamptz', 'timestamptz', 'uuid', 'integer'],
    values: [`'erc20'`, `'2000-01-01'`, `'-infinity'`, `'00000000-0000-0000-0000-000000000000'`, '500'],
  },
  'what was seen of some transactions, and what conflicts with them': {
    text: KNOWN_OR_CONFLICTING_TRANSFERS,
    types: ['text', 'text[]', 'jsonb'],
    values: [`'erc20'`, `'{100,101}'`, `'[{"spends": ["1:0"]}, {"spends": ["2:0"]}]'`],
  },
  'what some requests ask for': {
    text: REQUEST_TERMS,
    types: ['uuid[]'],
    values: [`'{01800000-0000-7000-8000-000000000001}'`],
  },
  'transfers to mark as final': {
    text: OLDEST_TO_MARK_FINAL,
    types: ['text', 'bigint', 'integer', 'bigint', 'bigint'],
    values: [`'erc20'`, '1000000', '500', '999000', '998000'],
  },
  'requests past their deadline': { text: REQUESTS_PAST_DEADLINE, ...BEFORE_ANY_DEADLINE },
  'requests past their deadline on several networks': {
    text: REQUESTS_PAST_DEADLINE_ON_EACH_OF_THEIR_NETWORKS,
    ...BEFORE_ANY_DEADLINE,
  },
  'a destination of events': {
    text: EVENTS_AFTER_CHECKPOINT,
    types: ['text', 'bigint'],
    values: [`'teams'`, '200'],
  },
  'due work behind a busy lane': {
    text: CLAIM_JOBS_BY_LANE,
    types: ['text', 'uuid', 'bigint', 'uuid[]', 'integer[]', 'uuid', 'uuid', 'bigint'],
    values: [
      ...[`'mail'`, 'gen_random_uuid()', '16', `'{${BUSY_LANE}}'`, `'{0}'`],
      ...[`'00000000-0000-0000-0000-000000000000'`, `'ffffffff-ffff-ffff-ffff-ffffffffffff'`, '2'],
    ],
  },
};

const database = new PlanDatabase((filled) => filled.query(INSERT_ROWS));

const STATISTICS = ['VACUUM', 'VACUUM ANALYZE'].flatMap((known) =>
  PLANS.map((mode) => [known, mode] as const),
);

describe.each(STATISTICS)(
  'A frequent query on tables with a long history, after %s, with %s',
  (known, mode) => {
    beforeAll(() => database.client.query(known));

    it.each(Object.entries(POLLS))(
      'reads no old rows: the query for %s',
      async (_, { text, types, values }) => {
        // Rolled back, because a committed claim would leave no rows for the next statement.
        await database.client.query('BEGIN');
        const { scans } = await executed(database.client, text, types, values, mode);
        await database.client.query('ROLLBACK');

        const ofMany = scans.filter(({ relation }) => relation !== 'subscriber_positions');
        expect(ofMany.length).toBeGreaterThan(0);
        expect(ofMany.filter(({ rows }) => rows > 2 * OPEN_COIN_REQUESTS)).toEqual([]);
      },
    );
  },
);
