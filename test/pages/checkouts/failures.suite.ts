import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PaymentLinkDto } from '#contexts/payments/infrastructure/links/http/payment-link.dto.js';
import { CheckoutDesk } from '#test/support/checkout-desk.js';
import { codeOf } from '#test/support/hostile/hostile-calls.js';
import type { Received } from '#test/support/hostile/hostile-http.js';
import { LinkPayer } from '#test/support/link-payer.js';
import type { TestService } from '#test/support/service.js';
import type { SharedService } from '#test/support/shared-service.js';

const PAGES = 'https://pay.example';
const SITES = 'https://shop.example';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const CROSS_SITE = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };

let service: TestService;
let desk: CheckoutDesk;
let usdc: string;
let framed: string;

const page = (id: string) => `/checkout/${id}`;
const post = (target: string, body: string, headers: Record<string, string> = {}) =>
  desk.http.send({ method: 'POST', target, body, headers: { ...FORM, ...headers } });
const choice = () => `unique_asset_id=${usdc}`;
const frames = ({ headers }: Received) =>
  /frame-ancestors ([^;]+)/.exec(String(headers['content-security-policy']))?.[1];
const isPage = ({ headers, text }: Received) =>
  headers['content-type'] === 'text/html; charset=utf-8' && text.startsWith('<!doctype html>');

/** A session of a shop that others frame, whose page has been shown. */
async function shown(): Promise<string> {
  const { session_id: id } = await desk.open({}, framed);
  await desk.get(page(id));
  return id;
}

async function openedLink() {
  const path = `/v1/pos/${service.seed.posId}/payment-link`;
  const link = await service.api.post<PaymentLinkDto>(path, { amount: '10', coin_code: 'USD' });
  const payer = new LinkPayer(service.apiUrl, link.code);
  const { session } = await payer.open();
  const opened = async () =>
    (await service.query('SELECT 1 FROM payments.checkouts WHERE payment_link_id = $1', [link.id])).length;
  return { code: link.code, payer, session, opened };
}

export function failuresSuite(shared: SharedService): void {
  describe('Failures', () => {
    beforeAll(async () => {
      service = await shared.shop();
      desk = new CheckoutDesk(service);
      usdc = service.assets[0]!.unique_asset_id;
      framed = await desk.shop({ frame_origins: [SITES] });
    });

    afterAll(() => desk?.close());

    describe('A form of another site', () => {
      it('does not open a checkout of a link or replace the session of a payer', async () => {
        const { code, payer, session, opened } = await openedLink();

        const leadBack = await post(`/link/${code}`, 'new=true', CROSS_SITE);
        const inCapitals = await post(`/LINK/${code}`, 'new=true', CROSS_SITE);
        const byOrigin = await post(`/link/${code}`, '', { origin: 'https://evil.example' });
        const api = await desk.http.send({
          method: 'POST',
          target: `/public/payment-links/${code}/checkout`,
          headers: CROSS_SITE,
        });

        expect([leadBack.status, leadBack.headers['location']]).toEqual([303, `/link/${code}`]);
        expect([inCapitals.status, byOrigin.status]).toEqual([404, 303]);
        expect([api.status, codeOf(api)]).toEqual([403, 'cross_site_refused']);
        for (const { headers } of [leadBack, inCapitals, byOrigin, api])
          expect(headers['set-cookie']).toBeUndefined();
        expect(await opened()).toBe(1);
        expect((await payer.open()).session.id).toBe(session.id);
      });

      it('does not select an asset, unlike a form of the pages themselves or a program', async () => {
        const [refused, page_, program] = [await desk.open(), await desk.open(), await desk.open()];
        const select = (id: string, headers: Record<string, string>) =>
          desk.http.send({
            method: 'POST',
            target: `/public/checkout/${id}/select-asset`,
            headers: { 'content-type': 'application/json', ...headers },
            body: JSON.stringify({ unique_asset_id: usdc }),
          });

        const foreign = await post(page(refused.session_id), choice(), CROSS_SITE);
        const foreignApi = await select(refused.session_id, CROSS_SITE);
        const own = await select(page_.session_id, { 'sec-fetch-site': 'same-site', origin: PAGES });
        const ofNoBrowser = await select(program.session_id, {});

        expect([foreign.status, foreign.headers['location']]).toEqual([303, page(refused.session_id)]);
        expect(codeOf(foreignApi)).toBe('cross_site_refused');
        expect((await desk.read(refused.session_id)).status).toBe('pending');
        expect([own.status, ofNoBrowser.status]).toEqual([200, 200]);
      });
    });

    describe('An error page', () => {
      it('shows the request id of an unexpected error, in the frame of the shop', async () => {
        const id = await shown();
        await service.query('ALTER TABLE payments.checkouts RENAME TO checkouts_away');

        const answers = [
          await desk.get(page(id), { 'x-request-id': 'find-me' }),
          await post(page(id), choice(), { 'x-request-id': 'find-me' }),
        ];
        await service.query('ALTER TABLE payments.checkouts_away RENAME TO checkouts');

        for (const answer of answers) {
          expect([answer.status, isPage(answer), frames(answer)]).toEqual([500, true, SITES]);
          expect(answer.text).toContain('find-me');
          expect(answer.text).not.toContain('checkouts_away');
        }
      });

      // The way to the database is gone after this.
      it('asks the payer to retry while the service is unavailable', async () => {
        const id = await shown();
        const { code } = await openedLink();
        shared.counter.end();

        const answers = [
          await desk.get(page(id)),
          await post(page(id), choice()),
          await desk.get(`/link/${code}`),
        ];
        const api = await desk.select(id, usdc);

        for (const answer of answers) {
          expect([answer.status, isPage(answer)]).toEqual([503, true]);
          expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
        }
        expect(answers.map(frames)).toEqual([SITES, SITES, "'none'"]);
        expect([api.status, codeOf(api)]).toEqual([503, 'unavailable']);
      });
    });
  });
}
