import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { Scrape } from '#test/support/scrape.js';
import { newId } from '../../kernel/ids.js';
import { Database } from '../database/database.js';
import { DatabaseMetricsCollector } from './database-metrics-collector.js';
import { ScheduledJobMetrics } from './work-metrics.js';
import { EventLogMetrics } from './event-log-metrics.js';
import { Metrics } from './metrics.js';
import { MetricsListener } from './metrics-listener.js';

class CountingDatabase extends Database {
  statements = 0;

  override query<Row extends object>(text: string, values?: unknown[]): Promise<Row[]> {
    this.statements += 1;
    return super.query<Row>(text, values);
  }
}

let platform: TestPlatform;
let database: CountingDatabase;
let scrapes: DatabaseMetricsCollector;
let listener: MetricsListener;
beforeEach(async () => {
  platform = await openTestDatabase();
  open(new CountingDatabase(platform.dataSource));
});
afterEach(async () => {
  await platform.close();
});

/** Starts the metrics of a process, as if the process had just started. */
function open(given: CountingDatabase): void {
  database = given;
  const metrics = new Metrics();
  scrapes = new DatabaseMetricsCollector(database, metrics);
  new EventLogMetrics(metrics, scrapes);
  new ScheduledJobMetrics(metrics, scrapes);
  listener = new MetricsListener(metrics, scrapes);
}

const scrape = async () => new Scrape(await listener.text());
const anew = () => (open(new CountingDatabase(platform.dataSource)), scrape());

async function append(type: string, count: number): Promise<void> {
  const ids = { aggregateId: newId<string>(), organizationId: newId<string>(), accountId: newId<string>() };
  const event = { type, ...ids, occurredAt: await platform.clock.now(), data: {} };
  await platform.database.run(() => platform.eventLog.append(Array(count).fill(event)));
}

describe('A scrape', () => {
  it('sends one statement, and none again within a second', async () => {
    const found = await Promise.all([scrape(), scrape(), scrape()]);
    await scrape();

    expect(database.statements).toBe(1);
    expect(found.map((each) => each.value('payment_collection_database_up'))).toEqual([1, 1, 1]);
  });

  it('shows 0 for completed work, and no database metrics while the database fails', async () => {
    await platform.database.run(() =>
      platform.scheduledJobs.schedule('mail', [{ key: newId(), lane: newId(), dueAt: new Date(0) }]),
    );
    const clock = jest.spyOn(performance, 'now').mockReturnValue(10_000);
    const before = await scrape();
    await platform.database.query('DELETE FROM platform.due_work');
    clock.mockReturnValue(11_000);
    const done = await scrape();
    database.query = () => Promise.reject(new Error('gone'));
    clock.mockReturnValue(12_000);
    const after = await scrape();
    clock.mockRestore();

    expect(before.sum('payment_collection_due_work', { kind: 'mail' })).toBe(1);
    expect(done.text).toContain('payment_collection_due_work{kind="mail"} 0');
    expect(after.value('payment_collection_database_up')).toBe(0);
    expect(after.value('payment_collection_database_pool_waiting')).toBe(0);
    expect(after.text).not.toMatch(/^payment_collection_(?:due_work|event_log_position)[{ ]/m);
  });

  it('ends while the database does not answer', async () => {
    database.query = () => new Promise(() => undefined);

    expect((await scrape()).value('payment_collection_database_up')).toBe(0);
  });
});

describe('The metric of due work', () => {
  it('counts due work by kind with the age of the oldest, and nothing that is due later', async () => {
    const now = await platform.clock.now();
    const at = (seconds: number) => ({
      key: newId<string>(),
      lane: newId<string>(),
      dueAt: new Date(now.getTime() + seconds * 1_000),
    });
    await platform.database.run(async () => {
      await platform.scheduledJobs.schedule('mail', [at(-90), at(-5), at(600)]);
      await platform.scheduledJobs.schedule('audit', [at(600)]);
    });

    const found = await scrape();
    const of = (name: string, kind: string) => found.sum(`payment_collection_${name}`, { kind });

    expect([of('due_work', 'mail'), of('due_work', 'audit')]).toEqual([2, 0]);
    expect(of('due_work_oldest_age_seconds', 'mail')).toBeCloseTo(90, -1);
    expect(of('due_work_oldest_age_seconds', 'audit')).toBe(0);
  });
});

describe('The metrics of subscribers', () => {
  it('shows the checkpoint, lag and dead-lettered events of each subscriber', async () => {
    await append('made.up', 3);
    const [newest] = await platform.database.query<{ transactionId: string; position: number; id: string }>(
      'SELECT transaction_id, position, id FROM platform.events ORDER BY position DESC LIMIT 1',
    );
    await platform.database.query(
      `INSERT INTO platform.subscriber_positions (subscriber, transaction_id, position)
       VALUES ('behind', '0', 0), ('current', $1, $2)`,
      [newest!.transactionId, newest!.position],
    );
    await platform.database.query(
      `INSERT INTO platform.parked_events (subscriber, event_id, aggregate_id, reason)
       VALUES ('behind', $1, $2, 'made up')`,
      [newest!.id, newId()],
    );
    await platform.advance(120);

    const found = await anew();
    const of = (name: string, subscriber: string) =>
      found.sum(`payment_collection_event_subscriber_${name}`, { subscriber });

    expect(found.value('payment_collection_event_log_position')).toBe(Number(newest!.position));
    expect(of('position', 'current')).toBe(Number(newest!.position));
    expect(of('lag_seconds', 'behind')).toBeGreaterThanOrEqual(120);
    expect(of('lag_seconds', 'current')).toBe(0);
    expect([of('parked_events', 'behind'), of('parked_events', 'current')]).toEqual([1, 0]);
    await platform.database.query('DELETE FROM platform.parked_events');
  });
});
