import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { parseEventDestinations } from '#app/settings/read-event-destinations.js';
import { openDestination, MESSAGE_SOURCE } from '#contexts/webhooks/testing/destination-world.js';
import { TracedBroker } from '#contexts/webhooks/infrastructure/destinations/work/traced-broker.js';
import { newId } from '#shared/kernel/ids.js';
import { SeededRandom } from '#shared/kernel/testing/seeded-random.js';
import type { ServerProcess } from '#sandbox/processes/child-process.js';
import { eventually } from '../support/eventually.js';
import { startTestService, type TestService } from '../support/service.js';
import { MAX_BYTES, WINDOW_SECONDS, type BrokerServer } from './destinations/broker-server.js';
import { foundBrokers, installBrokers } from './destinations/brokers.js';
import { compare, COMPLETE, type LoggedEvent } from './destinations/compared.js';

/** The long form is `npm run evidence -- destinations`: it installs the brokers, and kills them and the worker. */
const LONG = process.env['EVIDENCE'] === 'long';
if (LONG) await installBrokers();
const brokers = foundBrokers();
for (const { name, open, lacks } of brokers)
  if (open === null) process.stdout.write(`${name} is not tried: there is ${lacks}.\n`);
const installed = brokers.flatMap(({ name, open }) => (open === null ? [] : [[name, open] as const]));

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'destinations-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const TOO_SMALL = 400;

describe.each(brokers)('A destination of $name', ({ name, open }) => {
  if (open === null) {
    it.skip(`is not tried: ${name} is not installed`, () => undefined);
    return;
  }
  let server: BrokerServer;
  let world: Awaited<ReturnType<typeof openDestination>>;
  let broker: TracedBroker;
  beforeEach(async () => {
    server = await open(mkdtempSync(join(folder, 'broker-')));
    world = await openDestination();
    broker = new TracedBroker(parseEventDestinations(`teams=${server.url}`)[0]!);
  });
  afterEach(async () => {
    await broker.close();
    await world.close();
    await server.kill();
  });

  it('reports each failure, publishes every event once, and replays events after the broker lost them', async () => {
    const publish = world.publishing(broker);
    const failure = async () => {
      await expect(publish.publish()).rejects.toThrow();
      return (await world.status()).failure;
    };
    const requests = Array.from({ length: 40 }, () => newId<string>());
    const first = await world.pay(...requests, ...requests, ...requests);

    expect(await failure()).toBe('unreachable');
    await server.start();
    expect(await failure()).toBe('missing');
    await server.prepare({ maxBytes: TOO_SMALL });
    expect(await failure()).toBe('too_large');
    expect(await world.status()).toMatchObject({ number: 0, refusedEventId: first[0] });
    await server.allow(MAX_BYTES);
    await publish.publish();
    const stored = await server.read();
    expect(compare(stored, await world.log())).toEqual({ ...COMPLETE, repeatedAfter: [] });
    const message = stored.find(({ id }) => id === first[0]);
    const { organizationId, accountId } = world.account;
    expect(message!.attributes).toMatchObject({
      ...{
        specversion: '1.0',
        id: first[0],
        source: MESSAGE_SOURCE,
        type: 'payment_request',
        subject: requests[0],
      },
      ...{ organizationid: organizationId, accountid: accountId, fulfilled: 'false' },
    });

    await server.kill();
    cpSync(server.data, `${server.data}.older`, { recursive: true });
    await server.start();
    const [later] = await world.pay(...requests.slice(0, 9));
    while ((await world.status()).behind > 0) await publish.publish().catch(() => pause(200));
    await server.kill();
    rmSync(server.data, { recursive: true });
    cpSync(`${server.data}.older`, server.data, { recursive: true });
    await server.start();
    expect(compare(await server.read(), await world.log()).missing).toHaveLength(9);
    await world.destinations.replay('teams', { eventId: later! });
    while ((await world.status()).behind > 0) await publish.publish().catch(() => pause(200));
    expect(compare(await server.read(), await world.log())).toEqual({ ...COMPLETE, repeatedAfter: [] });
  }, 240_000);
});

const [EVENTS, CHUNK, OF_REQUEST] = [100_000, 2_000, 4];
const KILLED_WITHIN_MS = 1_500;

(LONG ? describe : describe.skip)('Publishing 100,000 events while brokers and workers are killed', () => {
  const servers: BrokerServer[] = [];
  let service: TestService;
  let worker: ServerProcess;
  beforeAll(async () => {
    for (const [, open] of installed) servers.push(await open(mkdtempSync(join(folder, 'killed-'))));
    for (const server of servers) {
      await server.start();
      await server.prepare();
    }
    const urls = servers.map(({ kind, url }) => `${kind}=${url}`).join(' ');
    service = await startTestService({ settings: { EVENT_DESTINATION_URLS: urls } });
    worker = service.processes.worker;
  }, 240_000);
  afterAll(async () => {
    await service?.stop();
    for (const server of servers) await server.kill();
  });

  /** Statuses of new payment requests, the second of each behind the first of all. */
  const happen = (count: number) =>
    service.query(
      `WITH requests AS MATERIALIZED (SELECT uuidv7() AS id, n FROM generate_series(1, $1::integer / ${OF_REQUEST}) n)
       INSERT INTO platform.events (id, type, aggregate_id, organization_id, account_id, occurred_at, data)
       SELECT uuidv7(), 'payment_request.status_changed', r.id, $2, $3, platform.now(), $4
       FROM generate_series(1, ${OF_REQUEST}) step, requests r ORDER BY step, n`,
      [
        count,
        service.seed.organizationId,
        service.seed.accountId,
        { status: 'processing', paymentRequestType: 'fixed', pointOfSaleId: service.seed.posId },
      ],
    );
  const positions = () =>
    service.query<{ name: string; behind: string }>(
      `SELECT name, (SELECT count(*) FROM webhooks.events e WHERE e.number > d.number) AS behind FROM webhooks.destinations d`,
    );

  it('loses no event, keeps the order of each aggregate, and repeats only what the broker cannot recognize', async () => {
    const seed = Number(process.env['SEED'] ?? Math.ceil(Math.random() * 1_000_000));
    const random = new SeededRandom(seed);
    const draw = (below: number) => random.wholeNumber(0, below - 1);
    const kills = { worker: 0, nats: 0, kafka: 0 };
    for (let sent = 0; sent < EVENTS; sent += CHUNK) {
      await happen(CHUNK);
      await pause(draw(KILLED_WITHIN_MS));
      const server = servers[draw(servers.length + 1)];
      if (server === undefined) {
        const next = await service.anotherWorker();
        process.kill(worker.pid, 'SIGKILL');
        worker = next;
        kills.worker += 1;
      } else {
        await server.kill();
        kills[server.kind] += 1;
        await pause(draw(KILLED_WITHIN_MS));
        await server.start();
      }
    }
    const all = async () =>
      Number((await service.query<{ n: string }>('SELECT count(*) AS n FROM webhooks.events'))[0]!.n);
    await eventually(all, (count) => count >= EVENTS, 300_000);
    await eventually(positions, (rows) => rows.every(({ behind }) => behind === '0'), 300_000);

    const log = await service.query<LoggedEvent>('SELECT id, number, body FROM webhooks.events');
    const report = `Killed with seed ${seed}: ${Object.entries(kills)
      .map(([what, times]) => `${what} ${times} times`)
      .join(', ')}.`;
    process.stdout.write(`${report}\n`);
    for (const server of servers) {
      const stored = await server.read();
      const { repeatedAfter, ...rest } = compare(
        stored,
        log.map((event) => ({ ...event, number: Number(event.number) })),
      );
      process.stdout.write(
        `${server.kind}: ${log.length} events, ${stored.length} messages, ${rest.missing.length} missing, ` +
          `${rest.disordered.length} out of order, ${repeatedAfter.length} came twice.\n`,
      );
      expect(rest).toEqual(COMPLETE);
      if (server.kind === 'nats') expect(repeatedAfter.filter((after) => after < WINDOW_SECONDS)).toEqual([]);
      // Kafka recognizes what one producer sends again: each death may repeat what was on its way.
      else expect(repeatedAfter.length).toBeLessThanOrEqual((kills.worker + kills.kafka) * 200);
    }
  }, 1_800_000);
});
