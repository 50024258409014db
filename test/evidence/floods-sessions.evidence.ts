import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { LinkSettings } from '#contexts/payments/application/links/limit-link-openings.js';
import { openPaymentLinks } from '#contexts/payments/testing/links/open-payment-links.js';
import { RateLimited } from '#shared/kernel/domain-error.js';

/** One stranger can make the service keep this much; the long form, `npm run evidence -- floods-sessions`, also weighs it. */
const LONG = process.env['EVIDENCE'] === 'long';
const SESSIONS = LONG ? 1_000 : 40;
const AT_ONCE = 20;
const OF_ADDRESS = 5;
const WINDOWS = 6;
const PAST_THE_WINDOW = 600;
const RETENTION_HOURS = 25;

/** All that a session has a row in. */
const OWN = ['payment_requests', 'checkouts', 'selections', 'deposit_addresses', 'payment_link_sessions'];
const KEPT = ['link_openings', 'status_history', 'pruned_requests', 'pruned_addresses', 'pruned_values'];
const TABLES = [...[...OWN, ...KEPT].map((table) => `payments.${table}`), 'platform.events'];

type Bench = Awaited<ReturnType<typeof openPaymentLinks>>;
let bench: Bench;
let payers = 0;

afterEach(() => bench.platform.close('any'));

async function openBench(settings: LinkSettings): Promise<string> {
  bench = await openPaymentLinks(settings);
  await bench.follow();
  return (await bench.link()).code;
}

/** A payer without a cookie. @returns whether a session was opened */
async function open(code: string, caller: string): Promise<boolean> {
  const payerSecret = String((payers += 1)).padStart(32, 'p');
  try {
    await bench.openLink.execute({ code, payerSecret, forceNew: false, caller });
    return true;
  } catch (error) {
    if (error instanceof RateLimited) return false;
    throw error;
  }
}

async function pass(seconds: number): Promise<void> {
  await bench.platform.advance(seconds);
  bench.chain.mineAt(await bench.platform.clock.now());
  await bench.follow();
}

async function pruneAll(): Promise<void> {
  while (await bench.prune.execute());
}

async function rowsOf(table: string): Promise<number> {
  const [row] = await bench.database.query<{ n: number }>(`SELECT count(*)::integer AS n FROM ${table}`);
  return row!.n;
}

/** Bytes of these tables with their indexes, without what was deleted. */
async function bytes(): Promise<number> {
  for (const table of TABLES) await bench.platform.dataSource.query(`VACUUM FULL ${table}`);
  const sizes = TABLES.map((table) => `pg_total_relation_size('${table}')`).join(' + ');
  const [row] = await bench.database.query<{ size: string }>(`SELECT ${sizes} AS size`);
  return Number(row!.size);
}

jest.setTimeout(600_000);

describe('A flood of sessions that nobody pays', () => {
  beforeEach(() => void (payers = 0));

  it('from one address leaves no more than its number in each window, and nothing of these after their retention', async () => {
    const code = await openBench(new LinkSettings(1_000, OF_ADDRESS, RETENTION_HOURS));

    let opened = 0;
    for (let window = 0; window < WINDOWS; window += 1) {
      for (let n = 0; n < 2 * OF_ADDRESS; n += 1) if (await open(code, '203.0.113.7')) opened += 1;
      await pass(PAST_THE_WINDOW);
    }
    const before = await rowsOf('payments.payment_requests');
    await pass(RETENTION_HOURS * 3_600);
    await pruneAll();

    expect([opened, before]).toEqual([WINDOWS * OF_ADDRESS, WINDOWS * OF_ADDRESS]);
    for (const table of [...OWN, 'link_openings'])
      expect([table, await rowsOf(`payments.${table}`)]).toEqual([table, 0]);
    expect(await rowsOf('payments.pruned_requests')).toBe(opened);
    expect(await rowsOf('payments.pruned_addresses')).toBe(opened);
    expect(await rowsOf('payments.pruned_values')).toBe(4);
  });

  it('takes up a fraction once it is pruned, and finds its way back', async () => {
    const code = await openBench(new LinkSettings(1_000_000, 1_000_000, RETENTION_HOURS));
    const empty = await bytes();
    for (let n = 0; n < SESSIONS; n += AT_ONCE)
      await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => open(code, `198.51.100.${i}`)));
    await pass(PAST_THE_WINDOW);
    const opened = (await bytes()) - empty;

    await pass(RETENTION_HOURS * 3_600);
    const began = performance.now();
    await pruneAll();
    const took = performance.now() - began;
    const pruned = (await bytes()) - empty;
    const events = `SELECT pg_total_relation_size('payments.status_history') + sum(pg_total_relation_size(relid))
      AS size FROM pg_partition_tree('platform.events')`;
    const [measured] = await bench.database.query<{ size: string }>(events);

    expect(await rowsOf('payments.pruned_requests')).toBe(SESSIONS);
    expect(await rowsOf('payments.payment_requests')).toBe(0);
    if (!LONG) return;
    const each = (total: number) => Math.round(total / SESSIONS);
    process.stdout.write(
      `\n| of one session | bytes |\n|---|---|\n| before pruning | ${each(opened)} |\n| after | ${each(pruned)} |\n` +
        `| of these, history and events | ${each(Number(measured!.size))} |\n\n` +
        `${SESSIONS} sessions pruned in ${(took / 1_000).toFixed(1)} s\n`,
    );
    expect(pruned).toBeLessThan(opened * 0.6);
  });
});
