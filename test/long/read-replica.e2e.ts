import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createDataSource, connectionPoolOf } from '#shared/platform/database/data-source.js';
import { Database } from '#shared/platform/database/database.js';
import { Metrics } from '#shared/platform/metrics/metrics.js';
import { Replica } from '#shared/platform/replica/replica.js';
import { createReplicaPool } from '#shared/platform/replica/replica-pool.js';
import { eventually } from '../support/eventually.js';
import { asked, DatabasePair } from '../support/database-pair.js';
import { Scrape } from '../support/scrape.js';
import { startTestService, type TestService } from '../support/service.js';
import { StatementCounter } from '../support/statement-counter.js';
import { TokenCaller } from '../support/token-caller.js';

/** Seconds. Long enough that a paused standby is within it at first, on a busy machine too. */
const BOUND = 15;

let servers: DatabasePair;
let restore: () => void;
let counter: StatementCounter;
let service: TestService;
let headers: Record<string, string>;
let path: string;

beforeAll(async () => {
  servers = await DatabasePair.startMigrated();
  restore = servers.serveTestDatabases();
  service = await startTestService({
    exportsMetrics: true,
    settings: { DATABASE_REPLICA_MAX_AGE_SECONDS: String(BOUND) },
    apiReplica: (url) => servers.replicaUrl(url),
    async apiDatabase(url) {
      counter = await StatementCounter.open(url);
      return counter.url;
    },
  });
  const token = await new TokenCaller(service).exchange();
  headers = { authorization: `Bearer ${token}`, 'x-service-api-key': service.seed.apiKey };
  path = `/v1/pos/${service.seed.posId}/payment-request`;
});
afterAll(async () => {
  await service?.stop();
  counter?.end();
  restore?.();
  await servers?.close();
});
beforeEach(async () => {
  if ((await servers.onStandby('SELECT pg_is_in_recovery() AS recovers'))[0]!['recovers'] === true)
    await servers.onStandby('SELECT pg_wal_replay_resume()');
});

const pause = () => servers.onStandby('SELECT pg_wal_replay_pause()');

/** How many reads each answered since the last look. */
let before: Scrape | undefined;
async function answeredBy(): Promise<Record<string, number>> {
  const now = await Scrape.of(service.metricsPorts.api);
  const name = 'payment_collection_replica_reads_total';
  const since = (reason: string) => now.sum(name, { reason }) - (before?.sum(name, { reason }) ?? 0);
  const reasons = ['none', 'behind', 'after_write', 'not_following', 'failed', 'conflict'];
  const found = reasons.map((reason) => [reason, since(reason)] as const).filter(([, count]) => count > 0);
  before = now;
  return Object.fromEntries(found);
}

async function create(): Promise<string> {
  const answer = await fetch(service.apiUrl + path, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ amount: '5', unique_asset_id: service.assets[0]!.unique_asset_id }),
  });
  expect([answer.status, await answer.text()]).toEqual([200, expect.any(String)]);
  return answer.headers.get('x-read-after')!;
}

async function total(after?: string, list = path): Promise<number> {
  const answer = await fetch(`${service.apiUrl}${list}`, {
    headers: { ...headers, ...(after !== undefined && { 'x-read-after': after }) },
  });
  const { data } = (await answer.json()) as { data: { total: number } };
  return data.total;
}

describe('A list of an API with a replica', () => {
  it('reads the replica, and only the credential from the primary', async () => {
    const after = await create();
    await servers.caughtUp();
    await answeredBy();

    const texts = await counter.during(async () => expect(await total(after)).toBeGreaterThan(0));

    expect(await answeredBy()).toEqual({ none: 1 });
    expect(texts.filter((text) => text.includes('payments.payment_requests'))).toEqual([]);
  });

  it('has the last write of its caller, and may lack the writes of others within the limit', async () => {
    const before = await total(await create());
    await pause();
    await answeredBy();

    const after = await create();

    expect(after).toMatch(/^1-\d+$/);
    expect([await total(), await total(after)]).toEqual([before, before + 1]);
    expect(await answeredBy()).toEqual({ none: 1, after_write: 1 });
  });

  it('reads the primary if the replica is too far behind', async () => {
    await servers.caughtUp();
    await pause();
    const now = await total(await create());
    await answeredBy();

    await eventually(
      () => total(),
      (seen) => seen === now,
    );

    expect(await answeredBy()).toMatchObject({ behind: 1 });
    expect(
      (await Scrape.of(service.metricsPorts.api)).value('payment_collection_replica_age_seconds'),
    ).toBeGreaterThan(BOUND);
  });
});

/** Reads from source, with statements that no list has. */
describe('A statement that the replica cancels to continue replaying', () => {
  it('runs on the primary', async () => {
    const database = createDataSource({
      databaseUrl: service.databaseUrl,
      poolSize: 2,
      applicationName: 'test',
      onPoolError: () => undefined,
    });
    await database.initialize();
    const metrics = new Metrics();
    const settings = { url: servers.replicaUrl(service.databaseUrl), maxAgeSeconds: 60, poolSize: 2 };
    const pool = createReplicaPool({
      ...settings,
      applicationName: 'test',
      pooler: 'none',
      onPoolError: () => undefined,
    });
    const replica = new Replica(metrics, pool, connectionPoolOf(database), settings.maxAgeSeconds);
    await replica.startSamplingPrimary();
    await service.query('CREATE TABLE public.short_lived AS SELECT generate_series(1, 1000) AS n');
    await servers.caughtUp();

    const holding = new Database(database, replica).queryReplica<{ isReplica: boolean; counted: number }>(
      `SELECT pg_is_in_recovery() AS is_replica, count(*) FROM public.short_lived,
         pg_sleep(CASE WHEN pg_is_in_recovery() THEN 30 ELSE 0 END)`,
    );
    const sleeps = `SELECT FROM pg_stat_activity WHERE query LIKE '%short_lived%' AND wait_event = 'PgSleep'`;
    await eventually(
      () => servers.onStandby(sleeps),
      (found) => found.length > 0,
    );
    await service.query('DELETE FROM public.short_lived');
    await asked(service.databaseUrl, 'VACUUM public.short_lived');

    expect(await holding).toEqual([{ isReplica: false, count: 0 }]);
    expect(
      await metrics.registry.getSingleMetricAsString('payment_collection_replica_reads_total'),
    ).toContain('reason="conflict"} 1');
    await replica.onApplicationShutdown();
    await database.destroy();
    await service.query('DROP TABLE public.short_lived');
  });
});

describe('A lost replica', () => {
  it('is not read after its promotion', async () => {
    await servers.caughtUp();
    const now = await total(await create());
    await servers.onStandby('SELECT pg_promote()');
    await eventually(async () => {
      expect(await total()).toBe(now);
      return 'not_following' in (await answeredBy());
    });
  });

  it('is replaced by the primary after a kill', async () => {
    await servers.kill(1);
    await answeredBy();
    const now = await total(await create());

    expect(await total()).toBe(now);
    expect(Object.keys(await answeredBy())).toEqual(['failed']);
  });
});
