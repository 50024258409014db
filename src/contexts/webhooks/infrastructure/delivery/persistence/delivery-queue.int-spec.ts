import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { StatementCounter } from '#test/support/statement-counter.js';
import { createDataSource } from '#shared/platform/database/data-source.js';
import { Database } from '#shared/platform/database/database.js';
import { DueWork } from '#shared/platform/due-work/due-work.js';
import { anAccount, statusChanged } from '#contexts/webhooks/testing/payment-events.js';
import { webhooksFixture } from '#contexts/webhooks/testing/webhooks-fixture.js';
import { AttemptLog } from './attempt-log.js';
import { WebhookHealth } from './webhook-health.js';
import { DeliveryQueue, type ClaimedAttempt, type ClaimedDelivery } from './delivery-queue.js';

const EVERY_WEBHOOK = { of: new Map<string, number>(), ofOthers: 100 };

let platform: TestPlatform;
beforeEach(async () => {
  platform = await openTestDatabase();
});
afterEach(() => platform.close());

const delivered = ({ work, delivery }: ClaimedDelivery, startedAt: Date): ClaimedAttempt => ({
  work,
  attempt: {
    deliveryId: delivery.id,
    number: 1,
    startedAt,
    durationMs: 1,
    httpStatus: 200,
    status: 'delivered',
  },
});

describe('Recording attempts', () => {
  it('takes as many statements for many as for one', async () => {
    const account = anAccount();
    const fixture = webhooksFixture(platform);
    await fixture.register(account, 'https://shop.example/hooks');
    await fixture.happen(...Array.from({ length: 41 }, () => statusChanged(account)));
    const { now, claimed } = await fixture.queue.claim(41, EVERY_WEBHOOK);
    const [first, ...others] = claimed.map((item) => delivered(item, now));
    const counter = await StatementCounter.open(platform.url);
    const dataSource = await createDataSource({
      databaseUrl: counter.url,
      poolSize: 1,
      applicationName: 'test',
      onPoolError: () => undefined,
    }).initialize();
    const database = new Database(dataSource);
    const queue = new DeliveryQueue(
      database,
      new DueWork(database),
      new AttemptLog(database),
      new WebhookHealth(database),
    );

    const forOne = await counter.during(() => queue.record([first!]));
    const forMany = await counter.during(() => queue.record(others));

    await dataSource.destroy();
    counter.end();
    expect(forMany).toEqual(forOne);
    expect(await fixture.rows('SELECT FROM webhooks.delivery_attempts')).toHaveLength(41);
    expect(await fixture.rows('SELECT FROM platform.due_work')).toEqual([]);
  });
});
