import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CheckoutDesk, walletPath } from '#test/support/checkout-desk.js';
import type { Received, Sent } from '#test/support/hostile/hostile-http.js';
import { withoutRequestId } from '#test/support/hostile/hostile-verdict.js';
import { eventually } from '#test/support/eventually.js';
import type { TestService } from '#test/support/service.js';
import { isBackground } from '#test/support/statement-counter.js';
import type { SharedService } from '#test/support/shared-service.js';

const MISSES = 30;
const PAST_THE_DEADLINE = 600;
const DAY_SECONDS = 24 * 60 * 60;
const UNKNOWN = 'B'.repeat(32);
const MALFORMED: Record<string, string> = {
  'too short': 'B'.repeat(31),
  'too long': 'B'.repeat(33),
  'in UTF-8': '%C3%A9'.repeat(32),
  'with a slash': `${'B'.repeat(16)}%2F${'B'.repeat(15)}`,
  'of dots': '%2E%2E',
  'with a quote': `${'B'.repeat(31)}%27`,
  'of 10 kB': 'B'.repeat(10_000),
};

let service: TestService;
let counter: SharedService['counter'];
let desk: CheckoutDesk;
let usdc: string;
/** A day and more after its end. */
let closed: string;
let strangers = 0;

const stranger = () => `127.20.${(strangers += 1)}.1`;

const JSON_TYPE = { 'content-type': 'application/json' };
const ways: Record<string, (id: string) => Sent> = {
  'reading it': (id) => ({ method: 'GET', target: `/public/checkout/${id}` }),
  'choosing in it': (id) => ({
    method: 'POST',
    target: `/public/checkout/${id}/select-asset`,
    headers: JSON_TYPE,
    body: JSON.stringify({ unique_asset_id: usdc }),
  }),
  'asking what to pay': (id) => ({ method: 'GET', target: walletPath({ session_id: id }) }),
};

export function strangersSuite(shared: SharedService): void {
  describe('Strangers', () => {
    beforeAll(async () => {
      service = await shared.shop();
      counter = shared.counter;
      desk = new CheckoutDesk(service);
      usdc = service.assets[0]!.unique_asset_id;
      const { id, session_id: sessionId } = await desk.open();
      closed = sessionId;
      await service.advance(PAST_THE_DEADLINE);
      await eventually(
        () =>
          service.query<{ status: string }>('SELECT status FROM payments.payment_requests WHERE id = $1', [
            id,
          ]),
        ([request]) => request!.status === 'expired',
      );
      await service.advance(DAY_SECONDS);
      await service.api.authenticate();
    });

    afterAll(() => desk?.close());

    describe.each(Object.keys(ways))('A session that does not exist, read by %s', (name) => {
      const way = ways[name]!;

      it('has the same answer and cost whether it never existed, is malformed or is closed', async () => {
        const from = stranger();
        const answers: Received[] = [];
        const costs: string[][] = [];
        for (const id of [UNKNOWN, ...Object.values(MALFORMED), closed]) {
          const executed = await counter.during(async () =>
            answers.push(await desk.http.send({ ...way(id), from })),
          );
          costs.push(executed.filter((text) => !isBackground(text)));
        }

        const [unknown] = answers;
        expect(withoutRequestId(unknown!)).toMatch(
          /^404 \{"status":"error","code":"not_found","message":"[^"]+","request_id":""\}$/,
        );
        expect(answers.map(withoutRequestId)).toEqual(answers.map(() => withoutRequestId(unknown!)));
        expect(costs[0]).toHaveLength(1);
        expect(costs).toEqual(costs.map(() => costs[0]));
      });
    });

    describe('A caller who guesses', () => {
      it('is limited in guesses only: existing sessions are served, from memory or not', async () => {
        const from = stranger();
        const [polled, unpolled] = [await desk.open(), await desk.open()];
        await desk.poll(polled.session_id);
        const guesses = Array.from({ length: MISSES }, (_, n) => String(n).padStart(32, 'g'));

        const misses: number[] = [];
        for (const guess of guesses) misses.push((await desk.poll(guess, {}, from)).status);
        const refused = [
          await desk.poll(UNKNOWN, {}, from),
          await desk.select(UNKNOWN, usdc, from),
          await desk.get(`/receipt/${UNKNOWN}`, { 'sec-fetch-dest': 'image' }, from),
        ];
        const served = [
          await desk.poll(polled.session_id, {}, from),
          await desk.poll(polled.session_id, { 'if-none-match': '*' }, from),
          await desk.poll(unpolled.session_id, {}, from),
          await desk.select(unpolled.session_id, usdc, from),
          await desk.get(walletPath(unpolled), {}, from),
        ];
        const elsewhere = await desk.poll(UNKNOWN, {}, stranger());

        expect(misses).toEqual(guesses.map(() => 404));
        expect(served.map(({ status }) => status)).toEqual([200, 304, 200, 200, 200]);
        for (const { status, headers } of refused) {
          expect(status).toBe(429);
          expect(Number(headers['retry-after'])).toBeGreaterThan(0);
          expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
        }
        for (const { headers } of refused)
          expect(headers['ratelimit-policy']).toBe(`"not-found";q=${MISSES};w=60`);
        expect(elsewhere.status).toBe(404);
      });
    });
  });
}
