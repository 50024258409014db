import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import {
  KNOWN_BROWSER_FACTOR_RATE_LIMIT,
  PERSON_CODE_RATE_LIMIT,
} from '#contexts/identity/domain/people/lock-out.js';
import { SIGN_IN_FAILURES_KEPT_DAYS, PruneExpiredSignInData } from './prune-expired-sign-in-data.js';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let platform: TestPlatform;
let prune: PruneExpiredSignInData;
beforeEach(async () => {
  platform = await openTestDatabase();
  prune = new PruneExpiredSignInData(platform.database);
});
// The rows of these tests refer to people who do not exist.
afterEach(() => platform.close('any'));

const ID = 'gen_random_uuid()';
const DIGEST = `sha256(${ID}::text::bytea)`;

/** Statements that insert a row with this expiry time, by table. */
const ROWS = {
  dashboard_sessions: (end: string) =>
    `SELECT ${ID}, ${DIGEST}, ${ID}, 'signed_in', '', '', NULL, NULL, platform.now(), platform.now(), ${end}`,
  known_devices: (end: string) => `SELECT ${DIGEST}, ${ID}, ${end}`,
  sign_in_failures: (end: string) => `SELECT ${DIGEST}, 1, ${end} - interval '1 day'`,
  invitations: (end: string) =>
    `SELECT id, ${DIGEST}, ${ID}, id || '@shop.example', 'viewer', '', ${end}, platform.now() FROM (SELECT ${ID} AS id) i`,
  pending_secrets: (end: string) => `SELECT ${ID}, ${ID}, '', '', platform.now(), ${end}`,
  shown_once: (end: string) => `SELECT ${DIGEST}, ${ID}, '/app', '', ${end}`,
  reset_links: (end: string) => `SELECT ${DIGEST}, ${ID}, true, platform.now(), ${end}`,
};
type Table = keyof typeof ROWS;
const TABLES = Object.keys(ROWS) as Table[];

/** @param seconds seconds until the row expires */
const add = (table: Table, seconds: number) =>
  platform.database.run(async () => {
    await platform.database.query('SET LOCAL session_replication_role = replica');
    await platform.database.query(
      `INSERT INTO identity.${table} ${ROWS[table](`(platform.now() + interval '${seconds} seconds')`)}`,
    );
  });
const count = async (table: Table) => (await platform.database.query(`SELECT FROM identity.${table}`)).length;
const counts = async () =>
  Object.fromEntries(await Promise.all(TABLES.map(async (t) => [t, await count(t)])));

describe('The pruning of sign-in data', () => {
  it('removes each row when it expires, and not before', async () => {
    for (const table of TABLES) for (const seconds of [HOUR, DAY]) await add(table, seconds);

    await platform.advance(HOUR - 10 * MINUTE);
    await prune.prune();
    const before = await counts();
    await platform.advance(10 * MINUTE);
    await prune.prune();

    expect(Object.values(before)).toEqual(TABLES.map(() => 2));
    expect(Object.values(await counts())).toEqual(TABLES.map(() => 1));
  });

  it('proceeds in steps, and returns whether there may be more', async () => {
    const table = 'known_devices';
    for (let rows = 0; rows < 3; rows += 1) await add(table, 0);

    const first = await prune.prune(2);
    const left = await count(table);

    expect([first, left]).toEqual([true, 1]);
    expect([await prune.prune(2), await count(table)]).toEqual([false, 0]);
  });

  it('keeps used codes of an allowance until all are allowed again', () => {
    for (const { atOnce, everySeconds } of [PERSON_CODE_RATE_LIMIT, KNOWN_BROWSER_FACTOR_RATE_LIMIT])
      expect((atOnce - 1) * everySeconds).toBeLessThanOrEqual(SIGN_IN_FAILURES_KEPT_DAYS * DAY);
  });

  it('skips a locked row', async () => {
    await add('dashboard_sessions', 0);
    let release = () => {};
    const mayEnd = new Promise<void>((resolve) => (release = resolve));
    let held = () => {};
    const isHeld = new Promise<void>((resolve) => (held = resolve));
    const holder = platform.database.run(async () => {
      await platform.database.query('SELECT FROM identity.dashboard_sessions FOR UPDATE');
      held();
      await mayEnd;
    });
    await isHeld;

    await prune.prune();
    const meanwhile = await count('dashboard_sessions');
    release();
    await holder;
    await prune.prune();

    expect([meanwhile, await count('dashboard_sessions')]).toEqual([1, 0]);
  });
});
