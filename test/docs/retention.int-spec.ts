import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { INVITATION_VALID_DAYS } from '#contexts/identity/application/people/invite-collaborator.js';
import {
  SESSION_LIFETIME_HOURS,
  PENDING_FACTOR_VALID_MINUTES,
} from '#contexts/identity/application/people/dashboard-sessions.js';
import { PAIRING_CODE_VALID_MINUTES } from '#contexts/identity/application/devices/pairing-code.js';
import { DEVICE_KNOWN_DAYS } from '#contexts/identity/infrastructure/people/persistence/known-sign-in-browsers.js';
import {
  MAIL_KEPT_DAYS,
  TYPED_ADDRESS_LIMIT_DAYS,
} from '#contexts/identity/infrastructure/people/persistence/outgoing-mail-queue.js';
import { ONE_TIME_SECRET_VALID_MINUTES } from '#contexts/identity/infrastructure/people/persistence/postgres-one-time-secret-store.js';
import { RESET_VALID_MINUTES } from '#contexts/identity/infrastructure/people/persistence/password-resets.js';
import * as people from '#contexts/identity/infrastructure/people/persistence/prune-expired-sign-in-data.js';
import * as exchanges from '#contexts/identity/infrastructure/credentials/persistence/authentication-attempts.js';
import { MAX_ROWS_DELETED_PER_STATEMENT } from '#contexts/notifications/infrastructure/persistence/postgres-notification-alerts.js';
import { MAILED_ADDRESS_RETENTION_DAYS } from '#contexts/notifications/infrastructure/persistence/notification-rules.js';
import { LinkSettings } from '#contexts/payments/application/links/limit-link-openings.js';
import * as links from '#contexts/payments/application/links/prune-link-sessions.js';
import * as payerMails from '#contexts/payments/infrastructure/receipts/persistence/payer-mails.js';
import * as reading from '#contexts/chain-watching/infrastructure/work/chain-data-pruning.js';
import { MAX_ZERO_BALANCES_DELETED } from '#contexts/settlement/infrastructure/settling/persistence/postgres-settlements.js';
import * as deliveries from '#contexts/webhooks/infrastructure/delivery/persistence/prune-deliveries.js';
import { WebhooksSettings } from '#contexts/webhooks/application/webhooks-settings.js';
import { IDEMPOTENCY_KEY_HOURS } from '#shared/platform/idempotency/idempotency-keys.sql.js';
import * as keys from '#shared/platform/idempotency/idempotency-keys.js';
import { openTestDatabase, type TestPlatform } from '../support/open-database.js';
import { documentedTables } from '../support/retention-page.js';

const page = readFileSync('docs/operating/retention.md', 'utf8');

const documented = documentedTables();
const named = documented.map(({ table }) => table);

const LINK_DAYS = new LinkSettings().retentionHours / 24;
const DELIVERY = [
  `${new WebhooksSettings({ secretKeys: [], allowLoopbackHttp: false }).deliveryRetentionDays} days after the last attempt`,
  deliveries.MAX_ATTEMPTS_PER_PRUNING_STEP,
];

/** The periods that the page states, each with the constant it has to equal. */
const AGES: Readonly<Record<string, readonly (string | number)[]>> = {
  'platform.idempotency_keys': [`${IDEMPOTENCY_KEY_HOURS} hours`, keys.MAX_PRUNED_IDEMPOTENCY_KEYS],
  'identity.exchange_attempts': [`${exchanges.ATTEMPTS_KEPT_MINUTES} minute`, exchanges.PRUNED_AT_ONCE],
  'identity.dashboard_sessions': [`${SESSION_LIFETIME_HOURS} hours`, people.PRUNED_AT_ONCE],
  'identity.known_devices': [`${DEVICE_KNOWN_DAYS} days`, people.PRUNED_AT_ONCE],
  'identity.sign_in_failures': [
    `${people.SIGN_IN_FAILURES_KEPT_DAYS} day after the last wait`,
    people.PRUNED_AT_ONCE,
  ],
  'identity.invitations': [`${INVITATION_VALID_DAYS} days`, people.PRUNED_AT_ONCE],
  'identity.pairing_codes': [`${PAIRING_CODE_VALID_MINUTES} minutes`, people.PRUNED_AT_ONCE],
  'identity.pending_secrets': [`${PENDING_FACTOR_VALID_MINUTES} minutes`, people.PRUNED_AT_ONCE],
  'identity.shown_once': [
    `until shown, ${ONE_TIME_SECRET_VALID_MINUTES} minutes at most`,
    people.PRUNED_AT_ONCE,
  ],
  'identity.reset_links': [`${RESET_VALID_MINUTES} minutes`, people.PRUNED_AT_ONCE],
  'identity.named_recipients': [`${TYPED_ADDRESS_LIMIT_DAYS} day`, people.PRUNED_AT_ONCE],
  'identity.outgoing_mails': [`until sent, ${MAIL_KEPT_DAYS} days at most`, 1],
  'notices.asked_addresses': [`${MAILED_ADDRESS_RETENTION_DAYS} day`, MAX_ROWS_DELETED_PER_STATEMENT],
  'payments.blocks': [
    `${reading.BLOCKS_KEPT_BELOW_FINALITY.toLocaleString('en')} below finality`,
    reading.ROWS_PRUNED_PER_STATEMENT,
  ],
  'payments.balance_looks': [
    `${reading.BALANCE_COMPARISONS_KEPT_DAYS} days`,
    reading.ROWS_PRUNED_PER_STATEMENT,
  ],
  'payments.link_openings': [`${LINK_DAYS} days after the session`, links.SESSIONS_PRUNED_PER_BATCH],
  'payments.payment_link_sessions': [`${LINK_DAYS} days after the session`, links.SESSIONS_PRUNED_PER_BATCH],
  'payments.payer_mails': [
    `${payerMails.UNSUBSCRIBE_LINK_DAYS} days after its end`,
    payerMails.PAYER_MAILS_PRUNED_PER_BATCH,
  ],
  'settlement.waiting': ['until nothing waits', MAX_ZERO_BALANCES_DELETED],
  'webhooks.deliveries': DELIVERY,
  'webhooks.delivery_attempts': DELIVERY,
};

let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestDatabase();
});
afterAll(() => platform.close());

const tablesWhere = async (condition: string) =>
  (
    await platform.database.query<{ name: string }>(
      `SELECT n.nspname || '.' || c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema' AND ${condition}
       ORDER BY 1`,
    )
  ).map(({ name }) => name);
const kept = (how: string) => documented.filter((row) => row.kept === how).map(({ table }) => table);

describe('The page about retention', () => {
  it('contains every table of the database once', async () => {
    expect([...named].sort()).toEqual(await tablesWhere('true'));
  });

  it('lists as append-only or permanent exactly the tables that the database protects', async () => {
    const guarded = await tablesWhere(`EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = c.oid
      AND t.tgfoid = 'platform.refuse_change'::regproc AND t.tgtype::integer & 8 > 0)`);
    const unchanged = await tablesWhere(`EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = c.oid
      AND t.tgfoid = 'platform.refuse_change'::regproc AND t.tgtype::integer & 24 = 24)`);

    expect([...kept('permanent, append-only'), ...kept('permanent, not deleted')].sort()).toEqual(guarded);
    expect(kept('permanent, append-only').sort()).toEqual(unchanged);
  });

  it.each(Object.entries(AGES))('has the age and the batch size of the code: %s', (table, [age, step]) => {
    const row = documented.find((each) => each.table === table)!;

    expect([row.kept, row.step]).toEqual([age, (step as number).toLocaleString('en')]);
  });

  it('has no age or batch size for other tables', () => {
    const stepped = documented.filter((row) => /\d/.test(row.kept + row.step)).map(({ table }) => table);

    expect(stepped.sort()).toEqual(Object.keys(AGES).sort());
  });

  it('has the ages of .env.example if they are settings', () => {
    const environment = readFileSync('.env.example', 'utf8');

    expect(environment).toContain(`\nLINK_SESSION_RETENTION_HOURS=${new LinkSettings().retentionHours}\n`);
    expect(environment).toContain(`\nWEBHOOK_DELIVERY_RETENTION_DAYS=${String(DELIVERY[0]).split(' ')[0]}\n`);
    for (const [setting] of page.matchAll(/`[A-Z]+(?:_[A-Z]+)+`/g))
      expect(environment).toContain(`${setting.replaceAll('`', '')}=`);
  });
});
