import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSandboxSettings } from '../../src/app/sandbox-settings.js';
import { newId, type PaymentRequestId, type WebhookId } from '../../src/shared/kernel/ids.js';
import { notificationBody } from '../../src/contexts/webhooks/domain/payment-request-notification.js';
import {
  anAccount,
  deliveryBench,
  eventually,
  statusChanged,
  type Account,
} from '../../src/contexts/webhooks/testing/delivery-bench.js';
import { serviceEnvironment } from '../../src/sandbox/service/service-environment.js';
import { openTestDatabase, type TestPlatform } from '../support/open-database.js';

const HERE = join(process.cwd(), 'test', 'evidence');
/** A delivery's body, of the usual length. */
export const BODY = notificationBody({
  paymentRequestId: newId(),
  paymentRequestType: 'fixed',
  status: 'completed',
  pointOfSaleId: newId(),
  accountId: newId(),
  externalReferenceId: 'order-4711',
});

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

/** What a program beside this one answers next. */
async function answer<T>(child: ChildProcess): Promise<T> {
  const over = new AbortController();
  const { signal } = over;
  try {
    const [message] = (await Promise.race([
      once(child, 'message', { signal }),
      once(child, 'exit', { signal }).then(() => {
        throw new Error(`${child.spawnargs.join(' ')} ended by itself.`);
      }),
    ])) as [T];
    return message;
  } finally {
    over.abort();
  }
}

/** A program of this folder in a process of its own. */
export function startProgram(name: string, args: string[] = [], env = process.env): ChildProcess {
  return fork(join(HERE, `${name}.mjs`), args, {
    env,
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
}

/** Sends a program something to do and waits for what it says of it. */
export async function ask<T>(child: ChildProcess, message: object): Promise<T> {
  const said = answer<T>(child);
  child.send(message);
  return said;
}

/** The worker in a process of its own on a database of its own, and a receiver in another. */
export class WebhookWorld {
  private constructor(
    readonly platform: TestPlatform,
    readonly worker: ChildProcess,
    readonly sink: ChildProcess,
    readonly sinkUrl: string,
    private readonly wired: ReturnType<typeof deliveryBench>,
  ) {}

  static async open(): Promise<WebhookWorld> {
    const platform = await openTestDatabase();
    const folder = mkdtempSync(join(tmpdir(), 'webhooks-'));
    const env = serviceEnvironment(join(folder, 'env'), readSandboxSettings({}), {
      databaseUrl: platform.url,
      networksFile: join(process.cwd(), 'docs', 'networks', 'evm-networks.json'),
    });
    rmSync(folder, { recursive: true });
    const [keyId, key] = env['WEBHOOK_SECRET_KEYS']!.split(':') as [string, string];
    const wired = deliveryBench(platform, {
      secretKeys: [{ id: keyId, secret: Buffer.from(key, 'base64url') }],
    });
    const [worker, sink] = [startProgram('webhook-worker', [], env), startProgram('webhook-sink')];
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
    const account = anAccount();
    const { id } = await this.wired.register(account, `${this.sinkUrl}${path}`);
    return { id, ...account };
  }

  /** Commits so many deliveries at once, due now, spread over these webhooks. */
  async queue(count: number, webhooks: readonly RegisteredWebhook[]): Promise<Committed> {
    let at = 0;
    const ids = Array.from({ length: count }, () => newId());
    await this.platform.database.run(async () => {
      for (let done = 0; done < count; done += 1_000) {
        await this.wired.deliveries.queue(
          ids.slice(done, done + 1_000).map((eventId, n) => {
            const { id: webhookId, organizationId, accountId } = webhooks[(done + n) % webhooks.length]!;
            const owner = { organizationId, accountId, webhookId };
            const content = {
              eventType: 'payment_request' as const,
              paymentRequestId: newId<PaymentRequestId>(),
              body: BODY,
            };
            return { id: newId(), ...owner, eventId, ...content };
          }),
        );
      }
      at = monotonic();
    });
    return { ids, at };
  }

  /** Commits an event that this webhook hears of, within the worker's process. */
  async happen({ organizationId, accountId }: RegisteredWebhook): Promise<Committed> {
    const event = statusChanged({ organizationId, accountId });
    const { at } = await ask<{ at: number }>(this.worker, { append: [event] });
    return { ids: [event.aggregateId], at };
  }

  /** What waits has come little by little, and the server's statistics know of it. */
  async analyze(): Promise<void> {
    await this.platform.database.query('ANALYZE');
  }

  /** The receiver begins to count anew. */
  async forget(): Promise<void> {
    await ask(this.sink, { forget: true });
  }

  /** Resolves once the receiver has got so many. */
  async received(count: number): Promise<void> {
    await eventually(async () => (await ask<Received>(this.sink, {})).posts >= count, 90_000);
  }

  /** What came, by the event's id (that of `queue`) and by the payment request's (that of `happen`). */
  async arrivals(): Promise<Map<string, number>> {
    const { arrivals } = await ask<{ arrivals: [id: string, at: number][] }>(this.sink, {
      list: true,
    });
    const requests = await this.platform.database.query<{ event: string; request: string }>(
      `SELECT event_id AS event, payment_request_id AS request FROM webhooks.deliveries
       WHERE event_id = ANY($1::uuid[])`,
      [arrivals.map(([id]) => id)],
    );
    const times = new Map(arrivals);
    for (const { event, request } of requests) times.set(request, times.get(event)!);
    return times;
  }

  /** Resolves once nothing of these webhooks is waiting. @returns when the last outcome was recorded */
  async recorded(webhooks: readonly RegisteredWebhook[]): Promise<number> {
    await eventually(async () => {
      const [row] = await this.platform.database.query<{ done: boolean }>(
        'SELECT NOT EXISTS (SELECT FROM platform.due_work WHERE lane = ANY($1::uuid[])) AS done',
        [webhooks.map(({ id }) => id)],
      );
      return row!.done;
    }, 90_000);
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

/** The machine's monotonic clock, the same for every process, in milliseconds. */
export function monotonic(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}

/** Measures by turns, A B B A. @returns each pair's ratio of B to A */
export async function paired(
  pairs: number,
  a: () => Promise<number>,
  b: () => Promise<number>,
): Promise<number[]> {
  const ratios: number[] = [];
  for (let pair = 0; pair < pairs; pair += 1) {
    const [first, second, third, fourth] = [await a(), await b(), await b(), await a()];
    ratios.push((second + third) / (first + fourth));
  }
  return ratios;
}

/** Median and spread. */
export function shown(values: readonly number[], digits = 2): string {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return `${median(values).toFixed(digits)} (${least.toFixed(digits)} to ${most.toFixed(digits)})`;
}
