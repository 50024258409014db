import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '#shared/kernel/ids.js';
import { startTestService, type TestService } from '../support/service.js';
import { isBackground, StatementCounter } from '../support/statement-counter.js';
import { publishFigure, typical } from './figures.js';
import { comparedWith, FORM, median, quantile, shown } from './measures.js';
import { PROGRAMS } from './programs.js';

const LONG = FORM === 'long';
const [PAIRS, SECONDS, CHANGES] = ({ short: [1, 0.3, 10], figures: [5, 2, 100], long: [9, 3, 300] } as const)[
  FORM
];
const CONNECTIONS = 16;

let service: TestService;
let counter: StatementCounter;
let bare: ChildProcess;
let bareUrl: string;
let session: { id: string; session_id: string };

beforeAll(async () => {
  service = await startTestService({
    settings: { PUBLIC_REQUESTS_PER_MINUTE: '100000000' },
    async apiDatabase(url) {
      counter = await StatementCounter.open(url);
      return counter.url;
    },
  });
  session = await service.api.post(`/v1/pos/${service.seed.posId}/payment-request-checkout`, {
    amount: '12.50',
    coin_code: 'USD',
  });
  bare = spawn(process.execPath, [join(PROGRAMS, 'bare-server.mjs')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = (await once(bare.stdout!, 'data')) as [Buffer];
  bareUrl = `http://127.0.0.1:${port.toString().trim()}/public/checkout/${session.session_id}`;
});

afterAll(async () => {
  bare?.kill();
  await service?.stop();
  counter?.end();
});

const url = () => `${service.apiUrl}/public/checkout/${session.session_id}`;
const poll = (etag?: string) =>
  fetch(url(), etag === undefined ? {} : { headers: { 'If-None-Match': etag } });
const isLook = (text: string) => text.includes('pg_current_snapshot') || text.includes('chain_cursors');

async function load(target: string, etag: string): Promise<Record<string, number>> {
  const args = [join(PROGRAMS, 'poll-load.mjs'), target, String(CONNECTIONS), String(SECONDS), etag];
  return JSON.parse((await promisify(execFile)(process.execPath, args)).stdout);
}

describe('Polling an unchanged checkout', () => {
  it('runs no SQL statement', async () => {
    const etag = (await poll()).headers.get('etag')!;

    let polls: Record<string, number> = {};
    const begun = performance.now();
    const statements = await counter.during(async () => (polls = await load(url(), etag)));

    const looks = statements.filter(isLook).length;
    const others = statements.filter((text) => !isLook(text) && !isBackground(text));
    process.stdout.write(
      `Unchanged polls: ${polls['304']}, SQL statements for them: ${others.length}; looks at the event log meanwhile: ${looks}\n`,
    );
    expect(Object.keys(polls)).toEqual(['304']);
    expect(others).toEqual([]);
    // For all pollers together: one every 20 ms and no more.
    expect(looks).toBeLessThan((performance.now() - begun) / 20 + 60);
  });

  it('reaches nearly the rate of a server that only returns 304', async () => {
    const etag = (await poll()).headers.get('etag')!;
    const rate = async (target: string) => (await load(target, etag))['304']! / SECONDS;

    const { ratios, noise, ours, limits } = await comparedWith(
      PAIRS,
      () => rate(bareUrl),
      () => rate(url()),
    );

    process.stdout.write(
      `Polls beside a bare 304: ${shown(ratios)} of its rate; bare beside bare: ${shown(noise)}\n`,
    );
    publishFigure({
      work: 'answer a poll of an unchanged checkout',
      result: `${typical(ours)} per second`,
      limit: `server that answers 304: ${typical(limits)} per second`,
      ratios,
      measurement: 'polls',
    });
    // The goal is 0.8. Loads and servers share two cores, which blurs it; a way through Express would be 0.3.
    if (LONG) expect(median(ratios)).toBeGreaterThan(0.5);
    for (const target of [bareUrl, url()]) expect(Object.keys(await load(target, etag))).toEqual(['304']);
  }, 180_000);
});

describe('Polling a changed checkout', () => {
  /** Another replica would change it like this: the data, and the event that says so, in one transaction. */
  async function change(n: number): Promise<number> {
    await service.query(
      `WITH changed AS (
         UPDATE payments.checkouts SET return_url = $2 WHERE payment_request_id = $1
         RETURNING payment_request_id, organization_id, account_id)
       INSERT INTO platform.events (id, type, aggregate_id, organization_id, account_id, occurred_at, data)
       SELECT $3, 'payment_request.received_changed', payment_request_id, organization_id, account_id,
         platform.now(), '{"receivedAmount": "0"}' FROM changed`,
      [session.id, `https://shop.example/thanks/${n}`, newId()],
    );
    return performance.now();
  }

  it('returns the change within 50 ms of its commit', async () => {
    const delays: number[] = [];
    for (let n = 0; n < CHANGES; n += 1) {
      const etag = (await poll()).headers.get('etag')!;
      const committed = await change(n);
      let answer = await poll(etag);
      while (answer.status === 304) answer = await poll(etag);
      delays.push(performance.now() - committed);
      expect(await answer.text()).toContain(`/thanks/${n}`);
    }

    const [middle, p95, longest] = [0.5, 0.95, 1].map((share) => quantile(delays, share).toFixed(1));
    process.stdout.write(
      `Commit to changed answer: median ${middle} ms, p95 ${p95} ms, longest ${longest} ms of ${CHANGES}\n`,
    );
    publishFigure({
      work: 'show a committed change to a client that polls',
      result: `${middle} ms median, ${p95} ms for 95 of 100`,
      spread: [Math.min(...delays), Math.max(...delays)],
      measurement: 'polls',
    });
    // Not the longest: the database and the loads share these cores.
    if (LONG) expect(median(delays)).toBeLessThan(50);
  });
});
