import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CHARGE_REQUEST_WORK } from '#contexts/subscriptions/infrastructure/persistence/postgres-subscriptions.js';
import { SeededRandom } from '#shared/kernel/testing/seeded-random.js';
import type { AnswerOf } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { startTestService, type TestService } from '../support/service.js';

/** The long form is `npm run evidence -- subscription-kills`. */
const LONG = process.env['EVIDENCE'] === 'long';
const SUBSCRIPTIONS = LONG ? 1_000 : 40;
/** All due dates are in one minute, and none of the second ones comes. */
const TRIAL_SECONDS = 2 * 86_400;
const MINUTE_MS = 60_000;
const AT_ONCE = 8;
/** A worker is killed so many milliseconds after a request was opened, at most. */
const LIVES_MS = LONG ? 300 : 60;
const MIN_KILLS = 2;
/** Each round starts two workers. */
const MAX_ROUNDS = LONG ? Infinity : 3;
const CHARGED_WITHIN_MS = 500_000;

interface Charged {
  charges: number;
  charged: number;
  opened: number;
  requests: number;
  left: number;
}

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  await service.processes.worker.stop();
});
afterAll(() => service?.stop());

/** Offered, and accepted each by a wallet of its own. */
async function subscribe(trialUntil: Date): Promise<void> {
  const { api, seed, assets } = service;
  const { id } = await api.post<AnswerOf<'createSubscription'>>(`/v1/pos/${seed.posId}/subscription`, {
    ...{ amount: '5', unique_asset_id: assets[0]!.unique_asset_id, interval: 'P1M' },
    trial_until: trialUntil.toISOString(),
  });
  await api.post(`/v1/wallets/v1/subscriptions/${id}/accept`, { wallet_external_id: `wallet of ${id}` });
}

async function subscribeAll(): Promise<void> {
  const minute = Date.now() + TRIAL_SECONDS * 1_000;
  let next = 0;
  const some = async () => {
    while (next < SUBSCRIPTIONS) {
      next += 1;
      await subscribe(new Date(minute + Math.floor((next * MINUTE_MS) / SUBSCRIPTIONS)));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, some));
}

const startTwo = () => Promise.all([service.anotherWorker(), service.anotherWorker()]);

/** Counts charges and their payment requests, and how much of either is left to do. */
async function charged(): Promise<Charged> {
  const [row] = await service.query<Charged>(`SELECT
    (SELECT count(*)::int FROM subscriptions.charges) AS charges,
    (SELECT count(DISTINCT subscription_id)::int FROM subscriptions.charges) AS charged,
    (SELECT count(*)::int FROM subscriptions.charge_requests) AS opened,
    (SELECT count(*)::int FROM payments.payment_requests) AS requests,
    (SELECT count(*)::int FROM subscriptions.subscriptions WHERE next_step_at <= platform.now())
      + (SELECT count(*)::int FROM platform.due_work WHERE kind = '${CHARGE_REQUEST_WORK}' AND due_at <= platform.now()) AS left`);
  return row!;
}

describe('Workers that are killed while subscriptions fall due', () => {
  it('charge each once, and open one payment request for each', async () => {
    const seed = Number(process.env['SEED'] ?? Math.ceil(Math.random() * 1_000_000));
    const random = new SeededRandom(seed);
    await subscribeAll();
    await service.advance(TRIAL_SECONDS + 2 * (MINUTE_MS / 1_000));
    let kills = 0;
    let cutOff = 0;
    let workers = await startTwo();
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      if ((await charged()).requests === SUBSCRIPTIONS && kills >= MIN_KILLS) break;
      const before = (await charged()).requests;
      await eventually(
        charged,
        ({ requests }) => requests > before || requests === SUBSCRIPTIONS,
        CHARGED_WITHIN_MS,
      );
      for (const { pid } of workers) {
        await pause(random.whole(0, LIVES_MS));
        process.kill(pid, 'SIGKILL');
        kills += 1;
        if ((await charged()).requests < SUBSCRIPTIONS) cutOff += 1;
      }
      workers = await startTwo();
    }
    const end = await eventually(
      charged,
      ({ left, requests }) => left === 0 && requests >= SUBSCRIPTIONS,
      CHARGED_WITHIN_MS,
    );

    process.stdout.write(
      `${SUBSCRIPTIONS} subscriptions due in one minute, ${kills} kills of either of two workers (${cutOff} before all ` +
        `were charged, seed ${seed}): ${end.charges} charges, ${end.requests} payment requests\n`,
    );
    expect(end).toEqual({
      ...{ charges: SUBSCRIPTIONS, charged: SUBSCRIPTIONS },
      ...{ opened: SUBSCRIPTIONS, requests: SUBSCRIPTIONS, left: 0 },
    });
    if (LONG) expect(cutOff).toBeGreaterThan(0);
    expect(await service.breaches()).toEqual([]);
  }, 900_000);
});
