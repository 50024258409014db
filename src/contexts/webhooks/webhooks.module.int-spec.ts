import { randomBytes } from 'node:crypto';
import { Global, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MADE_UP_EVENTS } from '#test/support/partial-worlds.js';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { Database } from '#shared/platform/database/database.js';
import { createDataSource } from '#shared/platform/database/data-source.js';
import { EventLog } from '#shared/platform/event-log/event-log.js';
import { PlatformModule } from '#shared/platform/platform.module.js';
import { ShownOnce } from '#contexts/identity/contract/shown-once.js';
import { PostgresShownOnce } from '#contexts/identity/infrastructure/people/persistence/postgres-shown-once.js';
import { AccountDirectory, AccountNames } from '#contexts/identity/contract/account-directory.js';
import { PostgresAccountNames } from '#contexts/identity/infrastructure/accounts/persistence/postgres-accounts.js';
import { AuditLog } from '#contexts/identity/contract/audit-log.js';
import { PostgresAuditLog } from '#contexts/identity/infrastructure/persistence/postgres-audit-log.js';
import { RegisterWebhook } from './application/registration/register-webhook.js';
import { verifyWebhookSignature } from '../../../docs/receivers/verify-webhook.js';
import { HttpSettings } from '#shared/platform/http/callers/http-settings.js';
import { EventDestinationsSettings } from './application/destinations/event-destinations-settings.js';
import { WebhooksSettings } from './application/webhooks-settings.js';
import { anAccount, statusChanged } from './testing/payment-events.js';
import { eventually } from '#test/support/eventually.js';
import { startReceiver, type Receiver } from './testing/receiver.js';
import { WebhooksModule, WebhooksWorkerModule } from './webhooks.module.js';

class EveryAccount extends AccountDirectory {
  override belongsTo(): Promise<boolean> {
    return Promise.resolve(true);
  }
}

let platform: TestPlatform;
let shop: Receiver;

beforeAll(async () => {
  platform = await openTestDatabase();
  platform.makesUp(MADE_UP_EVENTS);
  shop = await startReceiver();
});
afterAll(async () => {
  await shop.close();
  await platform.close();
});

describe('A worker process', () => {
  it('sends an event to a registered URL, records it, and ends without an error', async () => {
    const settings = new WebhooksSettings({
      secretKeys: [{ id: 'test', secret: randomBytes(32) }],
      allowLoopbackHttp: true,
    });
    const dataSource = await createDataSource({
      databaseUrl: platform.url,
      poolSize: 5,
      applicationName: 'test',
      onPoolError: () => undefined,
    }).initialize();
    @Global()
    @Module({
      providers: [
        { provide: AccountDirectory, useClass: EveryAccount },
        { provide: AccountNames, useClass: PostgresAccountNames },
        { provide: AuditLog, useClass: PostgresAuditLog },
        { provide: ShownOnce, useClass: PostgresShownOnce },
        { provide: WebhooksSettings, useValue: settings },
        { provide: EventDestinationsSettings, useValue: new EventDestinationsSettings() },
        { provide: HttpSettings, useValue: new HttpSettings() },
      ],
      exports: [
        AccountDirectory,
        AccountNames,
        AuditLog,
        ShownOnce,
        EventDestinationsSettings,
        WebhooksSettings,
        HttpSettings,
      ],
    })
    class Surroundings {}
    @Module({
      imports: [Surroundings, PlatformModule.forRoot(dataSource), WebhooksModule, WebhooksWorkerModule],
    })
    class Worker {}
    const worker = await NestFactory.createApplicationContext(Worker, { logger: ['error'] });
    const account = anAccount();
    const { secret } = await worker.get(RegisterWebhook).execute({
      actor: 'test',
      scope: { organizationId: account.organizationId, accountId: null },
      accountId: account.accountId,
      url: shop.url.replace('127.0.0.1', 'localhost'),
      eventType: 'payment_request',
    });

    await worker.get(Database).run(() => worker.get(EventLog).append([statusChanged(account)]));
    await eventually(() => shop.requests.length === 1);
    await eventually(async () => (await platform.database.query('SELECT FROM webhooks.events')).length === 1);
    await worker.close();

    const [{ body, headers }] = shop.requests as [(typeof shop.requests)[0]];
    const signature = String(headers['x-request-signature']);
    const timestamp = String(headers['x-request-timestamp']);
    expect(verifyWebhookSignature({ body, signature, timestamp, secret, now: new Date() })).toBe(true);
    const [log] = await platform.database.query<{ status: string }>(
      'SELECT status FROM webhooks.delivery_attempts',
    );
    expect(log).toEqual({ status: 'delivered' });
  });
});
