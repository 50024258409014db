import { beforeAll, describe, expect, it } from '@jest/globals';
import type { PaymentLinkDto } from '#contexts/payments/infrastructure/links/http/payment-link.dto.js';
import type { PublicCheckoutDto } from '#contexts/payments/infrastructure/requests/http/checkout.dto.js';
import type { PageBody } from '#shared/platform/http/answers/pagination.dto.js';
import { LinkPayer } from '#test/support/link-payer.js';
import type { TestService } from '#test/support/service.js';
import type { SharedService } from '#test/support/shared-service.js';
const GENUINE = /^payment_link_session=[A-Za-z0-9_-]{32}\.[A-Za-z0-9_-]{43}$/;

let service: TestService;

const payer = (code: string, jar?: { cookie?: string }) => new LinkPayer(service.apiUrl, code, jar);

const path = () => `/v1/pos/${service.seed.posId}/payment-link`;

function createLink(input: object = {}): Promise<PaymentLinkDto> {
  return service.api.post<PaymentLinkDto>(path(), { amount: '12.50', coin_code: 'USD', ...input });
}

async function patch({ id }: PaymentLinkDto, verb: 'activate' | 'deactivate'): Promise<PaymentLinkDto> {
  const headers = await proofs();
  const response = await fetch(`${service.apiUrl}${path()}/${id}/${verb}`, { method: 'PATCH', headers });
  return ((await response.json()) as { data: PaymentLinkDto }).data;
}

async function proofs(): Promise<Record<string, string>> {
  const { apiKey, apiSecret } = service.seed;
  const body = { api_key: apiKey, api_secret: apiSecret };
  const { token } = await service.api.post<{ token: string }>('/v1/auth/token', body);
  return { authorization: `Bearer ${token}`, 'x-service-api-key': apiKey };
}

async function requestsOf({ id }: PaymentLinkDto): Promise<number> {
  const [row] = await service.query<{ n: number }>(
    'SELECT count(*)::int AS n FROM payments.checkouts WHERE payment_link_id = $1',
    [id],
  );
  return row!.n;
}

export function paymentLinksSuite(shared: SharedService): void {
  describe('Payment links', () => {
    beforeAll(async () => {
      service = await shared.shop();
    });

    describe('A payment link', () => {
      it('is created, listed, and read by payers without a session', async () => {
        const order = { total: '12.50', coin_code: 'USD', description: 'Table 7' };
        const link = await createLink({ order, return_url: 'https://shop.example/thanks' });
        const listed = await service.api.get<PageBody<PaymentLinkDto>>(path());
        const visitor = payer(link.code);

        const seen = await visitor.read();
        await visitor.read();

        expect(link).toMatchObject({ amount: '12.5', coin_code: 'USD', order, active: true });
        expect(link.url).toMatch(new RegExp(`/link/${link.code}$`));
        expect(link.code).toMatch(/^k[A-Za-z0-9_-]{22}$/);
        expect(link.payment_options[0]).toMatchObject({ symbol: 'USDC', amount: '12.5' });
        expect(listed.data[0]).toEqual(link);
        expect(Object.keys(seen.session).sort()).toEqual([
          ...['amount', 'coin_code', 'merchant', 'order', 'payment_options'],
        ]);
        expect(await requestsOf(link)).toBe(0);
      });

      it('sets a cookie for its own path, hidden from scripts', async () => {
        const link = await createLink();
        const visitor = payer(link.code);

        const first = await visitor.read();
        const again = await visitor.read();

        const attributes = 'Max-Age=86400; HttpOnly; Secure; SameSite=Lax';
        expect(first.setCookie).toEqual([
          `${visitor.jar.cookie}; Path=/public/payment-links/${link.code}; ${attributes}`,
          `${visitor.jar.cookie}; Path=/link/${link.code}; ${attributes}`,
        ]);
        expect(visitor.jar.cookie).toMatch(GENUINE);
        expect(again.setCookie).toEqual([]);
      });

      it('answers like an unknown link while inactive, and keeps the open checkouts', async () => {
        const link = await createLink();
        const visitor = payer(link.code);
        const { session } = await visitor.open();

        const off = [await patch(link, 'deactivate'), await patch(link, 'deactivate')];
        const refused = [await visitor.read(), await visitor.open(), await visitor.select('any')];
        const unknown = [await payer('A'.repeat(22)).open(), await payer('%20').open()];
        const live = await service.api.raw<{ data: PublicCheckoutDto }>(
          `/public/checkout/${session.session_id}`,
        );
        const on = await patch(link, 'activate');

        expect(off).toEqual([
          { ...link, active: false },
          { ...link, active: false },
        ]);
        const answers = [...refused, ...unknown].map(({ httpStatus, code, message, setCookie }) =>
          JSON.stringify({ httpStatus, code, message, setCookie }),
        );
        expect(new Set(answers).size).toBe(1);
        expect(refused[0]).toMatchObject({ httpStatus: 404, setCookie: [] });
        expect(live.data.status).toBe('pending');
        expect(on.active).toBe(true);
        expect((await visitor.open()).session.id).toBe(session.id);
      });
    });
  });
}
