import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { webhooksInvariants } from '#contexts/webhooks/infrastructure/persistence/webhooks-invariants.js';
import { startReceiver, type Receiver } from '#contexts/webhooks/testing/receiver.js';
import { newId } from '#shared/kernel/ids.js';
import { waitUntil } from '#sandbox/processes/child-process.js';
import { eventually } from '../support/eventually.js';
import { startTestService, type TestService } from '../support/service.js';

/** The long form is `npm run evidence -- webhook-kills`. */
const LONG = process.env['EVIDENCE'] === 'long';
/** Events go on until there were so many deliveries, and the worker was killed so often and cut something off. */
const [DELIVERIES, KILLS] = [LONG ? 1_000 : 0, 2];
const WEBHOOKS = 2;
/** So that every kill cuts attempts off in the middle. */
const ANSWERS_AFTER_MS = 1_000;
const EVENTS_PER_SECOND = 5;
/** Deliveries that one death cut off are sent again before the next, which might cut them off as well. */
const QUIET_WITHIN_MS = 60_000;
/** Drawn anew for each. */
const MORE_MS = 1_000;

interface Arrival {
  readonly at: number;
  /** The sender waits for the answer. */
  isOpen: boolean;
  /** When its sender died, where it did before it had the answer. */
  brokenAt?: number;
}

let service: TestService;
let receivers: Receiver[];
/** Arrivals are kept by receiver and event. */
const arrivals = new Map<string, Arrival[]>();

beforeAll(async () => {
  service = await startTestService();
  await service.processes.worker.stop();
  receivers = await Promise.all(Array.from({ length: WEBHOOKS }, () => startReceiver()));
  for (const receiver of receivers) {
    receiver.answer = ({ headers }, response) => {
      const delivery = `${receiver.url} ${String(headers['webhook-id'])}`;
      const arrival: Arrival = { at: performance.now(), isOpen: true };
      arrivals.set(delivery, [...(arrivals.get(delivery) ?? []), arrival]);
      response.on('close', () => {
        arrival.isOpen = false;
        if (!response.writableFinished) arrival.brokenAt = performance.now();
      });
      setTimeout(() => response.end(), ANSWERS_AFTER_MS);
    };
    const body = { url: receiver.url, event_type: 'payment_request' };
    await service.api.post(`/v1/account/${service.seed.accountId}/webhook`, body);
  }
});

afterAll(async () => {
  await service?.stop();
  await Promise.all((receivers ?? []).map((receiver) => receiver.close()));
});

/** Status changes of payment requests, each sent to every webhook, one after another. @returns how many there were */
async function happen(isEnough: (events: number) => boolean): Promise<number> {
  for (let n = 0; ; n += 1) {
    if (isEnough(n)) return n;
    await service.query(
      `INSERT INTO platform.events (id, type, aggregate_id, organization_id, account_id, occurred_at, data)
       VALUES ($1, 'payment_request.status_changed', $1, $2, $3, platform.now(), $4)`,
      [
        newId(),
        service.seed.organizationId,
        service.seed.accountId,
        { status: 'processing', paymentRequestType: 'fixed', pointOfSaleId: service.seed.posId },
      ],
    );
    await pause(1_000 / EVENTS_PER_SECOND);
  }
}

async function delivered(): Promise<number> {
  const [row] = await service.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM webhooks.deliveries WHERE status = 'delivered'`,
  );
  return row!.n;
}

/** Draws in [0, 1) that come again with the same seed (Park and Miller). */
function drawsOf(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
}

const isUnderWay = () => [...arrivals.values()].some((times) => times.some(({ isOpen }) => isOpen));

/** The times from the death of a sender to when the same delivery arrived again, in milliseconds, ascending. */
function redeliveries(): number[] {
  const waits = [...arrivals.values()].flatMap((times) =>
    times.flatMap(({ brokenAt }, n) =>
      brokenAt === undefined ? [] : (times[n + 1]?.at ?? Infinity) - brokenAt,
    ),
  );
  return waits.sort((a, b) => a - b);
}

describe('Killing the worker again and again', () => {
  it('loses no delivery, and sends what was cut off again within 10 seconds', async () => {
    const seed = Number(process.env['SEED'] ?? Math.ceil(Math.random() * 1_000_000));
    const draw = drawsOf(seed);
    let kills = 0;

    // Another is always there to go on, as with replicas.
    let worker = await service.anotherWorker();
    const isKilledEnough = () => kills >= KILLS && redeliveries().length > 0;
    const happening = happen((events) => events * WEBHOOKS >= DELIVERIES && isKilledEnough());
    while (!isKilledEnough() || (await delivered()) < DELIVERIES) {
      const next = await service.anotherWorker();
      await pause(draw() * MORE_MS);
      await waitUntil(isUnderWay, { timeoutMs: QUIET_WITHIN_MS, everyMs: 1 });
      process.kill(worker.pid, 'SIGKILL');
      kills += 1;
      worker = next;
      const isQuiet = () => redeliveries().every(Number.isFinite);
      expect(await waitUntil(isQuiet, { timeoutMs: QUIET_WITHIN_MS, everyMs: 50 })).toBe(true);
    }
    const all = (await happening) * WEBHOOKS;
    await eventually(delivered, (count) => count === all, QUIET_WITHIN_MS);

    const received = [...arrivals.values()].reduce((sum, times) => sum + times.length, 0);
    const waits = redeliveries();
    const at = (share: number) => (waits[Math.ceil(waits.length * share) - 1]! / 1000).toFixed(1);
    process.stdout.write(
      `Worker killed ${kills} times (seed ${seed}): ${all} deliveries, lost ${all - arrivals.size}, ` +
        `duplicates ${received - arrivals.size}, sent again after p50 ${at(0.5)} s, p99 ${at(0.99)} s\n`,
    );
    expect(arrivals.size).toBe(all);
    expect(waits.length).toBeGreaterThan(0);
    // Beside other suites it is their speed that would be measured.
    if (LONG) expect(waits[Math.ceil(waits.length * 0.99) - 1]).toBeLessThan(10_000);
    for (const { name, breaches } of webhooksInvariants)
      expect([name, await service.query(breaches)]).toEqual([name, []]);
  }, 240_000);
});
