import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/test-database.js';
import type { PublishedEvent } from '../../../../shared/kernel/domain-event.js';
import { createDataSource } from '../../../../shared/platform/database/data-source.js';
import { Database } from '../../../../shared/platform/database/database.js';
import { EventLog } from '../../../../shared/platform/event-log/event-log.js';
import { EventSubscriber } from '../../../../shared/platform/event-log/event-subscriber.js';
import { SubscriberRunner } from '../../../../shared/platform/event-log/subscriber-runner.js';
import { PostMovements } from '../../application/post-movements.js';
import type { Movement } from '../../domain/movement.js';
import { bookedEvent, confirmedPayment, receivedDeposit, reversalOf } from '../../testing/movements.js';
import { PostgresJournal } from '../persistence/postgres-journal.js';
import { LedgerSubscriber } from './ledger-subscriber.js';

const FOLDER = new URL('../../../../../migrations/', import.meta.url);
/** The first migration of the release that learns of deposits and reversals. */
const LEARNS = '1763700009000';

/** As the earlier release has it: it passes over what it does not know. */
class EarlierLedger extends EventSubscriber {
  override readonly name: string = 'ledger';
  override readonly eventTypes = ['payment_request.confirmed'];
  readonly heard: string[] = [];

  override async apply(events: readonly PublishedEvent[]): Promise<void> {
    this.heard.push(...events.map(({ aggregateId }) => aggregateId));
  }
}

/** Its other one that was replaced. */
class EarlierEventLog extends EarlierLedger {
  override readonly name = 'webhook_events';
}

let server: TestDatabase;
let database: Database;
let close: () => Promise<void>;
beforeEach(async () => {
  server = await createTestDatabase('template0');
  const dataSource = createDataSource({
    ...{ databaseUrl: server.url, poolSize: 4, applicationName: 'test', onPoolError: () => undefined },
  });
  await dataSource.initialize();
  close = () => dataSource.destroy();
  database = new Database(dataSource);
});
afterEach(async () => {
  await close();
  await server.drop();
});

async function migrate(files: (file: string) => boolean): Promise<void> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  const wanted = readdirSync(FOLDER).filter((file) => file.endsWith('.sql') && files(file));
  // Several statements in one text are one transaction.
  for (const file of wanted.sort()) await client.query(readFileSync(new URL(file, FOLDER), 'utf8'));
  await client.end();
}
const happen = (...movements: Movement[]) =>
  database.run(() =>
    new EventLog(database).append(movements.map((movement) => bookedEvent(movement, new Date()))),
  );
async function eventually(holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 15_000;
  while (!(await holds())) if (Date.now() > deadline) throw new Error('It did not come true.');
}
const posted = () =>
  database.query<{ payment_request_id: string; type: string }>(
    'SELECT payment_request_id, type FROM ledger.transactions ORDER BY organization_id, organization_sequence',
  );

describe('A worker of the release before, left running', () => {
  it('reads past no deposit: the ledger of this release goes on where it stopped', async () => {
    await migrate((file) => file < LEARNS);
    const earlier = new EarlierLedger();
    const left = new SubscriberRunner(database, earlier);
    await left.register();
    const [before, after] = [confirmedPayment(), confirmedPayment()];
    await happen(before);
    await eventually(async () => (await left.turn(), earlier.heard.length === 1));

    await migrate((file) => file >= LEARNS);
    const deposit = receivedDeposit({ organizationId: after.organizationId, accountId: after.accountId });
    await happen(after, deposit, reversalOf(deposit));
    for (let turn = 0; turn < 3; turn += 1) await left.turn();
    const present = new SubscriberRunner(
      database,
      new LedgerSubscriber(new PostMovements(new PostgresJournal(database))),
    );
    await present.register();
    await eventually(async () => (await present.turn(), (await posted()).length === 3));

    expect(earlier.heard).toEqual([before.paymentRequestId]);
    expect((await posted()).map(({ type }) => type)).toEqual(['payment_in', 'deposit', 'adjustment']);
    expect(await database.query(`SELECT subscriber FROM platform.subscriber_positions`)).toEqual([
      { subscriber: 'ledger_movements' },
    ]);
  });
});

describe('A worker of the release before, started after the upgrade', () => {
  it('gets no position, applies nothing and leaves nothing behind', async () => {
    await migrate(() => true);
    await happen(confirmedPayment());
    const present = new SubscriberRunner(
      database,
      new LedgerSubscriber(new PostMovements(new PostgresJournal(database))),
    );
    await present.register();
    await eventually(async () => (await present.turn(), (await posted()).length === 1));

    const earlier = [new EarlierLedger(), new EarlierEventLog()];
    for (const subscriber of earlier) {
      const started = new SubscriberRunner(database, subscriber);
      await started.register();
      for (let turn = 0; turn < 3; turn += 1) await started.turn();
    }

    expect(earlier.flatMap(({ heard }) => heard)).toEqual([]);
    expect(await database.query(`SELECT subscriber FROM platform.subscriber_positions`)).toEqual([
      { subscriber: 'ledger_movements' },
    ]);
    expect(await posted()).toHaveLength(1);
  });
});
