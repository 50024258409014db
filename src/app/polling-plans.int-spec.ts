import { beforeAll, describe, expect, it } from '@jest/globals';
import { PlanDatabase } from '#test/support/plan-database.js';
import { executed, PLANS } from '#test/support/plans.js';
import {
  PAST_DEADLINE,
  PAST_DEADLINE_OF_SEVERAL,
} from '#contexts/payments/infrastructure/evaluation/past-deadline.sql.js';
import { OLDEST } from '#contexts/payments/infrastructure/evaluation/postgres-recorded-transfers.js';
import {
  KNOWN,
  PAGE,
  REQUEST_TERMS,
} from '#contexts/payments/infrastructure/evaluation/postgres-seen-transfers.js';
import { OF_OPEN } from '#contexts/payments/infrastructure/evaluation/postgres-native-balances.js';
import { FOLLOWING } from '#contexts/webhooks/infrastructure/destinations/destinations.js';
import { CLAIM_BY_LANE } from '#shared/platform/due-work/due-work.sql.js';
import { POLL_ALL, POLL_ONE } from '#shared/platform/event-log/subscriber-runner.js';

/** Rows of each table that are past. */
const PAST = 20_000;
/** Open requests that are payable in the network's coin. */
const OPEN = 5;
/** Open requests that are payable in a token. */
const IN_TOKENS = 10_000;
const SUBSCRIBERS = ['first', 'second'];
/** So many rows wait in a lane that statistics see no other. */
const WAITING = 60_000;
/** The lane of due work that has no room. */
const BUSY = '01700000-0000-7000-8000-000000000000';

/** UUIDs that grow with time. */
const ID = `('01800000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid`;
const NUMBERS = `generate_series(1, ${PAST}) n`;

/** Without what they refer to. All events were read, all but the last published, requests are open or over, and due work waits in a lane. */
const WORLD = `
INSERT INTO platform.events (id, type, aggregate_id, organization_id, account_id, occurred_at, data)
  SELECT ${ID}, 'payment_request.status_changed', ${ID}, ${ID}, ${ID}, platform.now(), '{}' FROM ${NUMBERS};
INSERT INTO platform.subscriber_positions (subscriber, transaction_id, position)
  SELECT name, e.transaction_id, e.position FROM unnest('{${SUBSCRIBERS.join()}}'::text[]) name,
    (SELECT * FROM platform.events ORDER BY transaction_id DESC, position DESC LIMIT 1) e;
INSERT INTO payments.payment_requests (id, organization_id, account_id, point_of_sale_id, type, status, token, created_at,
    expires_at, counts_until, network, unique_asset_id, currency, decimals, amount)
  SELECT ${ID}, ${ID}, ${ID}, ${ID}, 'fixed', CASE WHEN n <= ${OPEN + IN_TOKENS} THEN 'created' ELSE 'expired' END, '',
    platform.now(), platform.now(), platform.now(), 'erc20', CASE WHEN n <= ${OPEN} THEN 'coin' ELSE 'token' END, 'COIN', 18, 1
  FROM ${NUMBERS};
INSERT INTO payments.balance_watch (network, payment_request_id) SELECT 'erc20', ${ID} FROM generate_series(1, ${OPEN}) n;
INSERT INTO payments.deposit_addresses (network, address, payment_request_id, organization_id, account_id, unique_asset_id,
    derivation, settlement_terms_id, settlement_address, fee_recipient,
    fee_basis_points, created_at)
  SELECT 'erc20', '0x' || lpad(n::text, 40, '0'), ${ID}, ${ID}, ${ID}, 'coin', '{}', ${ID}, '', '', 0, platform.now()
  FROM ${NUMBERS};
INSERT INTO payments.transfers (id, network, kind, transaction_hash, index, block_number, block_hash, block_time, arrived_at,
    seen_at, lapses_at, evidence, unique_asset_id, currency, decimals, required_confirmations, from_address, to_address, amount,
    payment_request_id, organization_id, account_id, canonical, counted, final, detected_at)
  SELECT ${ID}, 'erc20', 'output', n::text, 0, block, block::text, CASE WHEN block IS NOT NULL THEN platform.now() END,
    platform.now(), platform.now(), platform.now() + n * interval '1 second',
    jsonb_build_object('spends', jsonb_build_array(n || ':0')), 'coin', 'COIN', 18, 1, '', n::text, 1, ${ID}, ${ID}, ${ID},
    true, false, block IS NOT NULL, platform.now()
  FROM (SELECT n, CASE WHEN n > ${OPEN} THEN n END AS block FROM ${NUMBERS}) blocks;
INSERT INTO webhooks.events (id, organization_id, account_id, event_type, body, occurred_at)
  SELECT ${ID}, ${ID}, ${ID}, 'settlement', '{}', platform.now() FROM ${NUMBERS};
INSERT INTO webhooks.destinations (name, number) SELECT 'teams', max(number) - ${OPEN} FROM webhooks.events;
INSERT INTO platform.due_work (kind, key, lane, due_at)
  SELECT 'mail', ${ID}, '${BUSY}', platform.now() - interval '1 day' + n * interval '1 ms' FROM generate_series(1, ${WAITING}) n;
INSERT INTO platform.due_work (kind, key, lane, due_at)
  VALUES ('mail', gen_random_uuid(), gen_random_uuid(), platform.now());`;

const BEFORE_ANY_DEADLINE = {
  types: ['text', 'timestamptz', 'timestamptz', 'integer', 'text[]'],
  values: [`'erc20'`, `'2000-01-01'`, `'2000-01-01'`, '500', `'{erc20,other}'`],
};

const POLLS = {
  'a subscriber of the event log': { text: POLL_ONE, types: ['text'], values: [`'first'`] },
  'all subscribers of the event log': {
    text: POLL_ALL,
    types: ['text[]'],
    values: [`'{${SUBSCRIBERS.join()}}'`],
  },
  'balances of open requests': {
    text: OF_OPEN,
    types: ['text', 'text', 'uuid', 'integer'],
    values: [`'erc20'`, `'coin'`, `'00000000-0000-0000-0000-000000000000'`, '500'],
  },
  'transfers in no block': {
    text: PAGE,
    types: ['text', 'timestamptz', 'timestamptz', 'uuid', 'integer'],
    values: [`'erc20'`, `'2000-01-01'`, `'-infinity'`, `'00000000-0000-0000-0000-000000000000'`, '500'],
  },
  'what was seen of some transactions, and what conflicts with them': {
    text: KNOWN,
    types: ['text', 'text[]', 'jsonb'],
    values: [`'erc20'`, `'{100,101}'`, `'[{"spends": ["1:0"]}, {"spends": ["2:0"]}]'`],
  },
  'what some requests ask for': {
    text: REQUEST_TERMS,
    types: ['uuid[]'],
    values: [`'{01800000-0000-7000-8000-000000000001}'`],
  },
  'transfers to mark as final': {
    text: OLDEST,
    types: ['text', 'bigint', 'integer'],
    values: [`'erc20'`, '1000000', '500'],
  },
  'requests past their deadline': { text: PAST_DEADLINE, ...BEFORE_ANY_DEADLINE },
  'requests past their deadline on several networks': {
    text: PAST_DEADLINE_OF_SEVERAL,
    ...BEFORE_ANY_DEADLINE,
  },
  'a destination of events': { text: FOLLOWING, types: ['text', 'bigint'], values: [`'teams'`, '200'] },
  'due work behind a busy lane': {
    text: CLAIM_BY_LANE,
    types: ['text', 'uuid', 'bigint', 'uuid[]', 'integer[]', 'uuid', 'uuid', 'bigint'],
    values: [
      ...[`'mail'`, 'gen_random_uuid()', '16', `'{${BUSY}}'`, `'{0}'`],
      ...[`'00000000-0000-0000-0000-000000000000'`, `'ffffffff-ffff-ffff-ffff-ffffffffffff'`, '2'],
    ],
  },
};

const database = new PlanDatabase((filled) => filled.query(WORLD));

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
        // A claim that stood would leave the next one nothing.
        await database.client.query('BEGIN');
        const { scans } = await executed(database.client, text, types, values, mode);
        await database.client.query('ROLLBACK');

        const ofMany = scans.filter(({ relation }) => relation !== 'subscriber_positions');
        expect(ofMany.length).toBeGreaterThan(0);
        expect(ofMany.filter(({ rows }) => rows > 2 * OPEN)).toEqual([]);
      },
    );
  },
);
