import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSandboxSettings } from '#sandbox/sandbox-settings.js';
import { newId, type DeliveryId, type PaymentRequestId, type WebhookId } from '#shared/kernel/ids.js';
import { serializeMerchantEventBody } from '#contexts/webhooks/application/events/notifications.js';
import { newAccount, statusChanged, type Account } from '#contexts/webhooks/testing/payment-events.js';
import { eventually } from '../../support/eventually.js';
import { webhooksFixture } from '#contexts/webhooks/testing/webhooks-fixture.js';
import { serviceEnvironment } from '#sandbox/service/service-environment.js';
import { openTestDatabase, type TestPlatform } from '../../support/open-database.js';
import { monotonic } from '../measures.js';
import { answer, ask, startProgram } from '../programs.js';

/** A delivery's body of the usual length. */
export const BODY = serializeMerchantEventBody(statusChanged(newAccount(), { referenceId: 'order-4711' }));

export interface RegisteredWebhook extends Account {
  readonly id: WebhookId;
}

/** Deliveries, by the ids that `arrivals` knows them by, and when their transaction began to commit (`monotonic`). */
export interface Committed {
  readonly ids: readonly string[];
  readonly at: number;
}

export interface Received {
  readonly posts: number;
  /** How many of them had a `webhook-id` of their own. */
  readonly ids: number;
}

/** The worker in a process of its own on a database of its own, and a receiver in another. */
export class WebhookWorld {
  private constructor(
    readonly platform: TestPlatform,
    readonly worker: ChildProcess,
    readonly sink: ChildProcess,
    readonly sinkUrl: string,
    private readonly wired: ReturnType<typeof webhooksFixture>,
  ) {}

  static async open(): Promise<WebhookWorld> {
    const platform = await openTestDatabase();
    const folder = mkdtempSync(join(tmpdir(), 'webhooks-'));
    const env = serviceEnvironment(join(folder, 'env'), readSandboxSettings({}), {
      databaseUrl: platform.url,
      networksFile: join(process.cwd(), 'docs/reference/networks/evm-networks.json'),
    });
    rmSync(folder, { recursive: true });
    const [keyId, key] = env['WEBHOOK_SECRET_KEYS']!.split(':') as [string, string];
    const wired = webhooksFixture(platform, {
      secretKeys: [{ id: keyId, secret: Buffer.from(key, 'base64url') }],
    });
    const [worker, sink] = [
      startProgram('webhooks/webhook-worker.ts', [], env),
      startProgram('webhooks/webhook-sink.mjs'),
    ];
    const started = Promise.all([answer(worker), answer<{ port: number }>(sink)]);
    const [, { port }] = await started.catch(async (error: unknown) => {
      for (const child of [worker, sink]) child.kill();
      await platform.close();
      throw error;
    });
    return new WebhookWorld(platform, worker, sink, `http://127.0.0.1:${port}`, wired);
  }

  /** @param path at the receiver */
  async register(path: string): Promise<RegisteredWebhook> {
    const account = newAccount();
    const { id } = await this.wired.register(account, `${this.sinkUrl}${path}`);
    return { id, ...account };
  }

  /** Commits so many deliveries at once, due now, spread over these webhooks. */
  async queue(count: number, webhooks: readonly RegisteredWebhook[]): Promise<Committed> {
    const deliveries = newDeliveries(count, webhooks);
    let at = 0;
    await this.platform.database.run(async () => {
      await this.wired.deliveries.queue(deliveries);
      at = monotonic();
    });
    return { ids: deliveries.map(({ eventId }) => eventId), at };
  }

  /** Like `queue`, but the worker itself commits them, as it does with those of events. */
  async queueInWorker(count: number, webhooks: readonly RegisteredWebhook[]): Promise<Committed> {
    const deliveries = newDeliveries(count, webhooks);
    const { at } = await ask<{ at: number }>(this.worker, { deliveries });
    return { ids: deliveries.map(({ eventId }) => eventId), at };
  }

  /** The receiver begins to count anew. */
  async forget(): Promise<void> {
    await ask(this.sink, { forget: true });
  }

  /** Resolves once the receiver has got so many. */
  async received(count: number): Promise<void> {
    await eventually(async () => (await ask<Received>(this.sink, {})).posts >= count, Boolean, 90_000);
  }

  /** Returns the time of the first arrival of each event. */
  async arrivals(): Promise<Map<string, number>> {
    const { arrivals } = await ask<{ arrivals: [id: string, at: number][] }>(this.sink, { list: true });
    return new Map(arrivals);
  }

  /** Resolves once nothing of these webhooks is waiting. @returns when the last outcome was recorded */
  async recorded(webhooks: readonly RegisteredWebhook[]): Promise<number> {
    await eventually(
      async () => {
        const [row] = await this.platform.database.query<{ done: boolean }>(
          'SELECT NOT EXISTS (SELECT FROM platform.due_work WHERE lane = ANY($1::uuid[])) AS done',
          [webhooks.map(({ id }) => id)],
        );
        return row!.done;
      },
      Boolean,
      90_000,
    );
    return monotonic();
  }

  /** @returns deliveries of these webhooks that did not end with the one attempt that they need */
  async amiss(webhooks: readonly RegisteredWebhook[]): Promise<object[]> {
    return this.platform.database.query(
      `SELECT d.id, d.status, count(a.id) AS attempts
       FROM webhooks.deliveries d LEFT JOIN webhooks.delivery_attempts a ON a.delivery_id = d.id
       WHERE d.webhook_id = ANY($1::uuid[])
       GROUP BY d.id HAVING d.status <> 'delivered' OR count(a.id) <> 1`,
      [webhooks.map(({ id }) => id)],
    );
  }

  /** Resident memory of the worker's process, in MB. */
  memory(): number {
    const status = readFileSync(`/proc/${this.worker.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1024;
  }

  /** Checks every invariant but those that were broken on purpose. */
  async close(brokenOnPurpose: readonly string[] = []): Promise<void> {
    this.worker.send({});
    await once(this.worker, 'exit');
    this.sink.kill();
    await this.platform.close(brokenOnPurpose);
  }
}

function newDeliveries(count: number, webhooks: readonly RegisteredWebhook[]) {
  return Array.from({ length: count }, (_, n) => {
    const { id: webhookId, organizationId, accountId } = webhooks[n % webhooks.length]!;
    const content = {
      eventType: 'payment_request' as const,
      paymentRequestId: newId<PaymentRequestId>(),
      body: BODY,
    };
    return { id: newId<DeliveryId>(), organizationId, accountId, webhookId, eventId: newId(), ...content };
  });
}
