import { execFileSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { publishFigure, typical } from './figures.js';
import { FORM, median, monotonic, paired, quantile, shown } from './measures.js';
import { answer, ask, startProgram } from './programs.js';
import { createTestDatabase } from '../support/test-database.js';
import {
  BODY,
  WebhookWorld,
  type Committed,
  type Received,
  type RegisteredWebhook,
} from './webhooks/webhook-world.js';

const LONG = FORM === 'long';
const [PAIRS, COUNT, MEMORY_COUNT, SECONDS] = (
  {
    short: [1, 100, 2_000, 0.5],
    figures: [3, 3_000, 2_000, 10],
    long: [9, 4_000, 100_000, 20],
  } as const
)[FORM];
const TICK_MS = 10;
/** The worker has so many in flight for one webhook; the bare loop gains nothing by more. */
const CONNECTIONS = 16;

let world: WebhookWorld;
let bare: ChildProcess;
let webhooks: RegisteredWebhook[];
/** Deliveries per second, as measured. */
const rates: number[] = [];

beforeAll(async () => {
  world = await WebhookWorld.open();
  bare = startProgram('bare-posts.mjs', [`${world.sinkUrl}/hooks`, BODY]);
  webhooks = [];
  for (let n = 0; n < 16; n += 1) webhooks.push(await world.register(`/hooks/${n}`));
});

afterAll(async () => {
  bare?.kill();
  // Deliveries that are queued by hand have no event.
  await world?.close(['deliveries-tell-of-events']);
});

/** Every one came, and came once. */
async function expectReceived(count: number): Promise<void> {
  const { posts, ids } = await ask<Received>(world.sink, {});
  expect([posts, ids]).toEqual([count, count]);
}

/** The time is taken from the commit of so many to the last record of an outcome. @returns deliveries per second */
async function deliver(count: number, to: readonly RegisteredWebhook[]): Promise<number> {
  await world.forget();
  const { at } = await world.queue(count, to);
  await world.received(count);
  const rate = (count / ((await world.recorded(to)) - at)) * 1_000;
  await expectReceived(count);
  return rate;
}

/** @returns posts per second of the bare loop */
async function post(count: number): Promise<number> {
  await world.forget();
  const { ms } = await ask<{ ms: number }>(bare, { posts: count, connections: CONNECTIONS });
  await expectReceived(count);
  return (count / ms) * 1_000;
}

/** @returns the folder from which the package is required */
function installPeer(peer: string): URL {
  const folder = mkdtempSync(join(tmpdir(), 'peer-'));
  execFileSync('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', peer], { stdio: 'ignore' });
  return pathToFileURL(`${folder}/`);
}

describe('A worker with pending deliveries', () => {
  it.each([16, 1])(
    'delivers to %d webhooks at a fraction of the rate of a loop of POST requests',
    async (many) => {
      const to = webhooks.slice(0, many);
      const ours: number[] = [];
      const bares: number[] = [];
      const measure = async () => {
        ours.push(await deliver(COUNT, to));
        return ours.at(-1)!;
      };
      const limit = async () => {
        bares.push(await post(COUNT * 4));
        return bares.at(-1)!;
      };
      await deliver(COUNT, to);
      await post(COUNT * 4);

      const noise = await paired(PAIRS, limit, limit);
      const ownNoise = await paired(PAIRS, measure, measure);
      const ratios = await paired(PAIRS, limit, measure);

      rates.push(median(ours));
      process.stdout.write(
        `Deliveries to ${many} webhooks: ${shown(ratios)} of a bare loop; ${shown(ours, 0)} beside ${shown(bares, 0)} ` +
          `per second. Bare beside bare ${shown(noise)}, deliveries beside deliveries ${shown(ownNoise)}\n`,
      );
      publishFigure({
        work: `deliver webhooks to ${many === 1 ? 'one receiver' : `${many} receivers`}`,
        result: `${typical(ours)} per second`,
        limit: `loop of POST requests: ${typical(bares)} per second`,
        ratios,
        measurement: 'webhook-deliveries',
      });
      expect(await world.amiss(to)).toEqual([]);
      // The goal is 0.6. Where four processes share two cores the database's work alone costs more than that leaves.
      if (LONG) expect(median(ratios)).toBeGreaterThan(0.05);
    },
    300_000,
  );

  // Their packages are installed for `npm run figures` only.
  (FORM === 'figures' ? it : it.skip).each(['graphile-worker@0.18.0', 'pg-boss@12.38.0'])(
    'is compared with a general job queue whose job posts the same body: %s',
    async (peer) => {
      const [name] = peer.split('@') as [string];
      const packages = installPeer(peer);
      const empty = await createTestDatabase('template0');
      const args = [packages.href, empty.url, `${world.sinkUrl}/hooks`, BODY];
      const queue = startProgram(`peers/${name}.mjs`, args);
      try {
        await answer(queue);
        const rates: number[] = [];
        for (let n = 0; n <= PAIRS * 2; n += 1) {
          await world.forget();
          const { ms } = await ask<{ ms: number }>(queue, { count: COUNT });
          await expectReceived(COUNT);
          rates.push((COUNT / ms) * 1_000);
        }
        publishFigure({
          work: `deliver webhooks: ${peer} for comparison`,
          result: `${typical(rates.slice(1))} per second`,
          spread: [Math.min(...rates.slice(1)), Math.max(...rates.slice(1))],
          measurement: 'webhook-deliveries',
        });
        process.stdout.write(`${peer}: ${shown(rates.slice(1), 0)} per second\n`);
      } finally {
        queue.kill();
        await once(queue, 'exit');
        await empty.drop();
        rmSync(packages, { recursive: true });
      }
    },
    300_000,
  );

  it('keeps its memory bounded over many deliveries', async () => {
    await deliver(MEMORY_COUNT / 10, webhooks);
    const megabytes: number[] = [];
    const tenths: number[] = [];

    for (let tenth = 0; tenth < 10; tenth += 1) {
      tenths.push(await deliver(MEMORY_COUNT / 10, webhooks));
      megabytes.push(world.memory());
    }

    process.stdout.write(
      `Memory after each tenth of ${MEMORY_COUNT} deliveries: ${megabytes.map((mb) => mb.toFixed(0)).join(', ')} MB; deliveries per second meanwhile: ${tenths.map((rate) => rate.toFixed(0)).join(', ')}\n`,
    );
    expect(await world.amiss(webhooks)).toEqual([]);
    // The second half may not need much more than the first: V8 collects late, so not nothing.
    expect(Math.max(...megabytes.slice(5)) - Math.max(...megabytes.slice(0, 5))).toBeLessThan(60);
  }, 300_000);

  it.each([
    ['the worker itself', 'queueInWorker'],
    ['another process', 'queue'],
  ] as const)(
    'delivers within milliseconds of the commit at half load, committed by %s',
    async (by, queue) => {
      const half = Math.round((Math.min(...rates) / 2) * (TICK_MS / 1_000));
      const committed: Committed[] = [];
      await world.forget();

      const end = monotonic() + SECONDS * 1_000;
      while (monotonic() < end) {
        const next = monotonic() + TICK_MS;
        committed.push(await world[queue](half, webhooks));
        await pause(Math.max(0, next - monotonic()));
      }
      await world.recorded(webhooks);

      const arrivals = await world.arrivals();
      const delays = committed.flatMap(({ ids, at }) => ids.map((id) => arrivals.get(id)! - at));
      const perSecond = delays.length / SECONDS;
      const [middle, p99, longest] = [0.5, 0.99, 1].map((share) => quantile(delays, share).toFixed(1));
      process.stdout.write(
        `Commit to first byte at ${perSecond.toFixed(0)} deliveries per second, committed by ${by}: ` +
          `median ${middle} ms, p99 ${p99} ms, longest ${longest} ms of ${delays.length}\n`,
      );
      publishFigure({
        work: `send a webhook that ${by} committed, at half load`,
        result: `${middle} ms median, ${p99} ms for 99 of 100`,
        spread: [Math.min(...delays), Math.max(...delays)],
        measurement: 'webhook-deliveries',
      });
      expect(delays.every(Number.isFinite)).toBe(true);
      expect(await world.amiss(webhooks)).toEqual([]);
      // The goal is 25 ms for 99 of 100, if the worker commits them. Four processes share these cores.
      if (LONG) expect(median(delays)).toBeLessThan(100);
    },
    300_000,
  );
});
