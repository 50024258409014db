import { beforeAll, describe, expect, it } from '@jest/globals';
import type { PublicCheckoutDto } from '#contexts/payments/infrastructure/requests/http/checkout.dto.js';
import type { PointOfSaleAnswer } from '#contexts/point-of-sale/infrastructure/http/point-of-sale-answer.dto.js';
import type { TestService } from '#test/support/service.js';
import type { SharedService } from '#test/support/shared-service.js';

const BROWSER = { accept: 'text/html,application/xhtml+xml' };
const FORM = { ...BROWSER, 'content-type': 'application/x-www-form-urlencoded' };

let service: TestService;

async function till(config: object = {}): Promise<PointOfSaleAnswer> {
  const { asset } = { asset: service.assets[0]! };
  return service.api.post<PointOfSaleAnswer>('/v1/pos', {
    ...{ name: 'Till 1', type: 'physical', account_id: service.seed.accountId },
    config: {
      merchant: { name: 'Corner <b>Coffee</b>' },
      payment_options: [asset.unique_asset_id],
      till: { coin_code: 'USD', tip_percentages: [5, 10], products: [{ name: 'Tea', amount: '3.50' }] },
      ...config,
    },
  });
}

const open = (url: string, init: RequestInit = {}) => fetch(url, { redirect: 'manual', ...init });

const cashier = ({ id }: PointOfSaleAnswer, body: object = { amount: '12.50', coin_code: 'USD' }) =>
  service.api.post<PublicCheckoutDto>(`/v1/pos/${id}/payment-request-checkout`, body);

/** At the API's own address, where the pages lie too. */
const pageOf = ({ code }: PointOfSaleAnswer) => `${service.apiUrl}/pos/${code}`;
const apiOf = ({ code }: PointOfSaleAnswer) => `${service.apiUrl}/public/pos/${code}`;

const typed = (point: PointOfSaleAnswer, amount: string, cookie = '') =>
  open(pageOf(point), {
    method: 'POST',
    headers: { ...FORM, cookie },
    body: new URLSearchParams({ amount, coin_code: 'USD' }),
  });

export function tillCodesSuite(shared: SharedService): void {
  describe('The printed code of a till', () => {
    beforeAll(async () => {
      service = await shared.shop();
    });

    it('redirects a browser to the request of the cashier, and describes the payment to a wallet', async () => {
      const point = await till();
      const made = await cashier(point);

      const page = await open(pageOf(point), { headers: BROWSER });
      const { data } = (await (await open(apiOf(point))).json()) as {
        data: { checkout_session: PublicCheckoutDto };
      };
      const { session_id: alias } = data.checkout_session;
      expect(JSON.stringify(data)).not.toContain(made.session_id);
      expect(data.checkout_session).toMatchObject({
        id: made.id,
        checkout_url: expect.stringContaining(`/public/checkout/${alias}/payment`),
        token: expect.not.stringMatching(made.token),
      });
      expect([page.status, page.headers.get('location')]).toEqual([303, `/checkout/${alias}`]);
      const wallet = await open(pageOf(point));
      expect(wallet.headers.get('access-control-allow-origin')).toBe('*');
      expect(await wallet.json()).toMatchObject({ payment: { id: made.id }, order: { total: '12.5' } });
      const asked = await open(data.checkout_session.checkout_url);
      expect(await asked.json()).toMatchObject({ payment: { id: made.id } });
    });

    it('hides a sale once it is paid, even from a browser that has opened it', async () => {
      const point = await till();
      const made = await cashier(point);
      const scanned = await open(pageOf(point), { headers: BROWSER });
      const page = `${service.apiUrl}${scanned.headers.get('location')}`;
      expect((await open(page, { headers: BROWSER })).status).toBe(200);
      const mail = await open(`${page}/receipt-mail`, {
        ...{ method: 'POST', headers: FORM },
        body: new URLSearchParams({ email: 'eve@mail.example' }),
      });
      expect([mail.status, mail.headers.getSetCookie()]).toEqual([404, []]);

      await service.query(
        `UPDATE payments.payment_requests SET status = 'processing' WHERE id = '${made.id}'`,
      );
      const paid = await open(page, { headers: BROWSER });
      const shown = await paid.text();
      const others = await Promise.all([
        open(page.replace('/checkout/', '/public/checkout/')),
        open(`${page.replace('/checkout/', '/public/checkout/')}/payment`),
        open(page.replace('/checkout/', '/till/codes/')),
      ]);
      await service.query(`UPDATE payments.payment_requests SET status = 'created' WHERE id = '${made.id}'`);

      expect([paid.status, shown]).toEqual([200, expect.stringContaining('Payment received')]);
      for (const id of [made.id, made.session_id]) expect(shown).not.toContain(id);
      expect(others.map(({ status }) => status)).toEqual(others.map(() => 404));
    });

    it('accepts typed amounts of several payers, and redirects each to their own checkout', async () => {
      const point = await till({ open_amount: true });
      const page = await (await open(pageOf(point), { headers: BROWSER })).text();
      expect(page).toContain('Enter the amount');

      const bad = await typed(point, '1e9');
      expect([bad.status, await bad.text()]).toEqual([
        400,
        expect.stringMatching(/value="1e9"[\s\S]*in digits/),
      ]);
      const first = await typed(point, ' 7,5 ');
      const cookie = first.headers.getSetCookie()[0]!;
      expect(cookie).toMatch(
        new RegExp(`^till_session=[\\w-]{32}; Path=/pos/${point.code}; .*HttpOnly; Secure`),
      );
      expect(first.headers.get('location')).toMatch(/^\/checkout\/[\w-]{32}$/);

      const other = await typed(point, '8');
      expect([other.status, other.headers.get('location')]).toEqual([303, expect.anything()]);
      expect(other.headers.get('location')).not.toBe(first.headers.get('location'));
      const ownCookie = { cookie: cookie.split(';')[0]! };
      const again = await (await open(pageOf(point), { headers: { ...BROWSER, ...ownCookie } })).text();
      expect(again).toContain(`href="${first.headers.get('location')}"`);
      expect(await (await open(pageOf(point), { headers: BROWSER })).text()).not.toContain('/checkout/');
      expect((await open(apiOf(point))).status).toBe(404);
    });
  });
}
