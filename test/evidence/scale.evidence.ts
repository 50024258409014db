import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startReceiver, type Receiver } from '#contexts/webhooks/testing/receiver.js';
import type { ServerProcess } from '#sandbox/processes/child-process.js';
import { freePort } from '#sandbox/processes/free-port.js';
import { serviceProcesses, startServiceProcess } from '#sandbox/service/service-process.js';
import { AttemptLog } from '#contexts/webhooks/infrastructure/delivery/persistence/attempt-log.js';
import { Deliveries } from '#contexts/webhooks/infrastructure/delivery/persistence/deliveries.js';
import { WebhookHealth } from '#contexts/webhooks/infrastructure/delivery/persistence/webhook-health.js';
import {
  newId,
  type AccountId,
  type OrganizationId,
  type PaymentRequestId,
  type WebhookId,
} from '#shared/kernel/ids.js';
import { createDataSource } from '#shared/platform/database/data-source.js';
import { Database } from '#shared/platform/database/database.js';
import { ScheduledJobs } from '#shared/platform/due-work/scheduled-jobs.js';
import { brokenInvariants } from '../support/broken-invariants.js';
import { MOVED_CLOCK } from '../support/partial-worlds.js';
import { startPgBouncer } from '../rehearsals/pooler.js';
import { eventually } from '../support/eventually.js';
import { DatabasePair } from '../support/database-pair.js';
import { startTestService, type TestService } from '../support/service.js';
import { TokenCaller } from '../support/token-caller.js';
import { median, row, shown } from './measures.js';
import { ask, startProgram } from './programs.js';
import { BODY } from './webhooks/webhook-world.js';

const LONG = process.env['EVIDENCE'] === 'long';
const PAIRS = 3;
const COUNT = LONG ? 3_000 : 60;
const CONNECTIONS = 12;
const WEBHOOKS = 8;
const POOLED = 20;

type Part = 'create' | 'read' | 'list' | 'deliver';
const PARTS: readonly Part[] = ['create', 'read', 'list', 'deliver'];
type Rates = Record<Part, number>;

let servers: DatabasePair;
let restore: () => void;
let service: TestService;
let receiver: Receiver;
let pooler: { port: number; end(): Promise<void> } | undefined;
let headers: Record<string, string>;
let path: string;
const webhooks: WebhookId[] = [];
/** When the deliveries of a turn arrived, in milliseconds. */
let arrivals: number[] = [];
const folder = mkdtempSync(join(tmpdir(), 'scale-'));
// The pooler's user enters it.
chmodSync(folder, 0o755);

beforeAll(async () => {
  servers = await DatabasePair.startMigrated();
  restore = servers.serveTestDatabases();
  service = await startTestService({ settings: { WEBHOOK_ALLOW_LOOPBACK_HTTP: 'true' } });
  receiver = await startReceiver();
  receiver.answer = (_request, response) => {
    arrivals.push(performance.now());
    response.end();
  };
  const token = await new TokenCaller(service).exchange();
  headers = { authorization: `Bearer ${token}`, 'x-service-api-key': service.seed.apiKey };
  path = `/v1/pos/${service.seed.posId}/payment-request`;
  for (let n = 0; n < WEBHOOKS; n += 1) {
    const webhook = { url: `${receiver.url}/${n}`, event_type: 'payment_request' };
    const { id } = await service.api.post<{ id: WebhookId }>(
      `/v1/account/${service.seed.accountId}/webhook`,
      webhook,
    );
    webhooks.push(id);
  }
  pooler = await openPooler();
  // The worker of the service stays away while the API is measured.
  await Promise.all([service.processes.api.stop(), service.processes.worker.stop()]);
});
afterAll(async () => {
  await pooler?.end();
  await receiver?.close();
  await service?.stop();
  restore?.();
  await servers?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Undefined, and named in the output, where Debian's package pgbouncer is not installed. */
async function openPooler() {
  try {
    execFileSync('pgbouncer', ['--version'], { stdio: 'ignore' });
  } catch {
    process.stdout.write('There is no pgbouncer here: the processes reach the primary directly.\n');
    return undefined;
  }
  const { hostname, port, username, pathname } = new URL(service.databaseUrl);
  const name = pathname.slice(1);
  const server = `host=${hostname} port=${port} dbname=${name} user=${username}`;
  return startPgBouncer(join(folder, 'pooler'), POOLED, [
    '[databases]',
    `${name} = ${server}`,
    '[pgbouncer]',
  ]);
}

/** The way of one of each, or that of three of each. */
function wayOf(count: number): Record<string, string> {
  if (count === 1) return {};
  const url = new URL(service.databaseUrl);
  if (pooler !== undefined) url.port = String(pooler.port);
  const replica = { DATABASE_REPLICA_URL: servers.replicaUrl(service.databaseUrl) };
  return { DATABASE_URL: url.href, ...(pooler && { DATABASE_POOLER: 'transaction' }), ...replica };
}

class Processes {
  readonly urls: string[] = [];
  private readonly running: ServerProcess[] = [];

  constructor(private readonly count: number) {}

  async start(which: 'main' | 'worker'): Promise<void> {
    const started = Array.from({ length: this.count }, async () => {
      const port = await freePort();
      const env = { ...service.environment, ...wayOf(this.count), HTTP_PORT: String(port), METRICS_PORT: '' };
      const logs = join(folder, `${which}-${port}`);
      mkdirSync(logs);
      const [api, worker] = serviceProcesses({ httpHost: '127.0.0.1', httpPort: port }, logs, env);
      this.running.push(await startServiceProcess(which === 'main' ? api! : worker!, () => undefined));
      if (which === 'main') this.urls.push(`http://127.0.0.1:${port}`);
    });
    await Promise.all(started);
  }

  async stop(): Promise<void> {
    await Promise.all(this.running.map((each) => each.stop()));
  }
}

async function called(urls: readonly string[], calls: readonly object[]): Promise<number> {
  const [count, connections] = [COUNT / urls.length, CONNECTIONS / urls.length];
  const ends = await Promise.all(
    urls.map(async (url) => {
      const load = startProgram('full-load.mjs');
      const end = await ask<{ ms: number; answers: object }>(load, { url, calls, connections, count });
      load.kill();
      return end;
    }),
  );
  expect(ends.map(({ answers }) => answers)).toEqual(urls.map(() => ({ 200: count })));
  return (COUNT / Math.max(...ends.map(({ ms }) => ms))) * 1_000;
}

/** Deliveries without events, due now, as nothing is paid here. */
async function queueDeliveries(): Promise<void> {
  const dataSource = createDataSource({
    databaseUrl: service.databaseUrl,
    poolSize: 2,
    applicationName: 'test',
    onPoolError: () => undefined,
  });
  await dataSource.initialize();
  const database = new Database(dataSource);
  const log = new AttemptLog(database);
  const queue = new Deliveries(database, new ScheduledJobs(database), log, new WebhookHealth(database));
  const organizationId = service.seed.organizationId as OrganizationId;
  const accountId = service.seed.accountId as AccountId;
  await database.run(() =>
    queue.queue(
      Array.from({ length: COUNT }, (_, n) => ({
        ...{ id: newId(), organizationId, accountId, webhookId: webhooks[n % WEBHOOKS]!, eventId: newId() },
        ...{ eventType: 'payment_request' as const, paymentRequestId: newId<PaymentRequestId>(), body: BODY },
      })),
    ),
  );
  await dataSource.destroy();
}

async function rates(count: 1 | 3): Promise<Rates> {
  const processes = new Processes(count);
  await processes.start('main');
  const body = JSON.stringify({ amount: '1', unique_asset_id: service.assets[0]!.unique_asset_id });
  const creation = {
    method: 'POST',
    path,
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  };
  const create = await called(processes.urls, [creation]);
  const ids = await service.query<{ id: string }>(
    `SELECT id FROM payments.payment_requests ORDER BY id DESC LIMIT ${COUNT}`,
  );
  const get = (of: string) => ({ method: 'GET', path: of, headers });
  const read = await called(
    processes.urls,
    ids.map(({ id }) => get(`${path}/${id}`)),
  );
  const list = await called(processes.urls, [get(`${path}?page=1&page_size=20`)]);

  await queueDeliveries();
  arrivals = [];
  await processes.start('worker');
  await eventually(
    () => arrivals.length,
    (arrived) => arrived >= COUNT,
    600_000,
  );
  const deliver = ((COUNT - 1) / (arrivals.at(-1)! - arrivals[0]!)) * 1_000;
  await processes.stop();
  return { create, read, list, deliver };
}

describe('A service of three API and three worker processes', () => {
  it('delivers every webhook, and serves requests at a fraction of the rate of one of each on the same cores', async () => {
    const legs: [Rates, Rates][] = [];
    // The long form begins with a warm-up. The short form measures nothing.
    if (LONG) await rates(1);
    await rates(3);
    for (let pair = 0; LONG && pair < PAIRS; pair += 1) {
      const [one, three, again, last] = [await rates(1), await rates(3), await rates(3), await rates(1)];
      const mean = (a: Rates, b: Rates) =>
        Object.fromEntries(PARTS.map((part) => [part, (a[part] + b[part]) / 2])) as unknown as Rates;
      legs.push([mean(one, last), mean(three, again)]);
    }

    process.stdout.write(`Load of the machine: ${loadavg()[0]!.toFixed(1)}\n`);
    for (const part of LONG ? PARTS : []) {
      const ratios = legs.map(([one, three]) => three[part] / one[part]);
      const [ones, threes] = [0, 1].map((side) =>
        median(legs.map((leg) => leg[side as 0 | 1][part])).toFixed(0),
      );
      process.stdout.write(row(part, `${shown(ratios)} of one`, `${ones} a second`, `${threes} a second`));
    }
    // An attempt that is answered after two seconds is repeated: then the machine is too busy for its figures.
    const posted = receiver.requests.map(({ headers: sent }) => sent['webhook-id']);
    const arrived = new Set(posted);
    process.stdout.write(`Posts: ${posted.length}, of them repeated: ${posted.length - arrived.size}\n`);
    const delivered = await service.query<{ id: string }>(
      `SELECT COALESCE(event_id, id) AS id FROM webhooks.deliveries WHERE status = 'delivered'`,
    );
    expect(delivered.length).toBeGreaterThanOrEqual(COUNT);
    expect(delivered.filter(({ id }) => !arrived.has(id))).toEqual([]);
    const except = [...MOVED_CLOCK, 'deliveries-tell-of-events'];
    expect(await brokenInvariants(service.query, except)).toEqual([]);
  }, 3_600_000);
});
