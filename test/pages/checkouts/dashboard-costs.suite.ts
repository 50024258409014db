import { beforeAll, describe, expect, it } from '@jest/globals';
import { OWN_FORM, signedIn } from '#test/support/dashboard-session.js';
import type { TestService } from '#test/support/service.js';
import { isBackground } from '#test/support/statement-counter.js';
import type { SharedService } from '#test/support/shared-service.js';

const MAX_STATEMENTS = 4;
/** Also reads the filters that the person has saved, by primary key. */
const MAX_STATEMENTS_OF_PAYMENTS = 5;
const MAX_BYTES = 30_000;

let service: TestService;
let counter: SharedService['counter'];
let cookie: string;
let webhook: string;
let payment: string;

export function dashboardCostsSuite(shared: SharedService): void {
  describe('Costs of pages', () => {
    beforeAll(async () => {
      service = await shared.shop();
      counter = shared.counter;
      cookie = await signedIn(service.query, service.seed.organizationId, 'owner');
      const form = {
        account_id: service.seed.accountId,
        url: service.apiUrl,
        event_type: 'refund',
        description: '',
      };
      const answer = await fetch(`${service.apiUrl}/app/webhooks/new`, {
        method: 'POST',
        headers: { cookie, ...OWN_FORM },
        body: new URLSearchParams(form).toString(),
        redirect: 'manual',
      });
      const request = { amount: '12.5', unique_asset_id: service.assets[0]!.unique_asset_id };
      const path = `/v1/pos/${service.seed.posId}/payment-request`;
      payment = (await service.api.post<{ id: string }>(path, request)).id;
      webhook = /\/app\/webhooks\/([0-9a-f-]{36})\//.exec(answer.headers.get('location')!)![1]!;
    });

    describe('A page of the dashboard', () => {
      it.each([
        '/app?days=30',
        '/app/payments',
        '/app/payments/:payment',
        '/app/search?q=0193b2f4-0000-7000-8000-00000000dead',
        '/app/accounts',
        '/app/account',
        '/app/api-keys',
        '/app/api-keys/new',
        '/app/team',
        '/app/audit-log',
        '/app/links',
        '/app/links/new',
        '/app/points-of-sale',
        '/app/points-of-sale/new',
        '/app/accounts/:account',
        '/app/accounts/:account/branding',
        '/app/branding',
        '/app/subscriptions',
        '/app/subscriptions/new',
        '/app/webhooks',
        '/app/webhooks/new',
        '/app/webhooks/:webhook?status=failed',
        '/app/webhooks/:webhook/settings',
        '/app/webhooks/:webhook/replay',
        '/app/transactions?from=2026-01-01&zone=Asia/Tokyo',
        '/app/settlements',
        '/app/statements/currency',
        '/app/refunds?status=pending',
        '/app/refunds/new',
        '/app/notices',
        '/app/notices/new',
      ])('takes few statements and at most 30 kB: %s', async (path) => {
        let html = '';
        const open = async () => {
          const answer = await fetch(
            service.apiUrl +
              path
                .replace(':webhook', webhook)
                .replace(':payment', payment)
                .replace(':account', service.seed.accountId),
            { headers: { cookie } },
          );
          html = await answer.text();
          expect(answer.status).toBe(200);
        };
        await open();

        const executed = (await counter.during(open)).filter((text) => !isBackground(text));

        const bytes = Buffer.byteLength(html);
        const isPayments = path === '/app/payments';
        expect(executed.length).toBeLessThanOrEqual(isPayments ? MAX_STATEMENTS_OF_PAYMENTS : MAX_STATEMENTS);
        expect(bytes).toBeLessThanOrEqual(MAX_BYTES);
      });
    });

    describe('A page of payers', () => {
      it('reads the branding of the merchant from memory', async () => {
        const order = { amount: '12.50', coin_code: 'USD' };
        const { hosted_checkout_url: url } = await service.api.post<{ hosted_checkout_url: string }>(
          `/v1/pos/${service.seed.posId}/payment-request-checkout`,
          order,
        );
        const page = service.apiUrl + new URL(url).pathname;
        const open = async () => expect((await fetch(page)).status).toBe(200);
        await open();

        const executed = await counter.during(async () => {
          for (let i = 0; i < 5; i += 1) await open();
        });

        // None, unless the machine is so slow that the ten seconds pass meanwhile.
        expect(executed.filter((text) => text.includes('identity.brandings')).length).toBeLessThan(5);
      });
    });
  });
}
