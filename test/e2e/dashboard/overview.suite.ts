import { beforeAll, describe, expect, it } from '@jest/globals';
import { tokenOf } from '#sandbox/payer/payer-wallet.js';
import { signedIn } from '../../support/dashboard-session.js';
import { eventually } from '../../support/eventually.js';
import type { TestService } from '../../support/service.js';
import type { SharedService } from '../../support/shared-service.js';

let service: TestService;
let cookie: string;

async function overview(query = '', as = cookie): Promise<string> {
  const answer = await fetch(`${service.apiUrl}/app${query}`, { headers: { cookie: as } });
  expect(answer.status).toBe(200);
  // As it is read, without its marks.
  return (await answer.text()).replaceAll(/<(style|script)>.*?<\/\1>/gs, '').replaceAll(/<[^>]+>/g, '|');
}

/** The texts behind a name, below the page's heading. */
const after = (text: string, name: string) =>
  text.slice(text.lastIndexOf('|Overview|')).split(`|${name}|`)[1]?.split('|').filter(Boolean) ?? [];

/** The request is of the demonstration's point of sale, and asks for 12.5 USDC. */
async function create(): Promise<{ id: string; address: `0x${string}` }> {
  const body = { amount: '12.5', unique_asset_id: service.assets[0]!.unique_asset_id };
  return service.api.post(`/v1/pos/${service.seed.posId}/payment-request`, body);
}

export function overviewSuite(shared: SharedService): void {
  describe('Overview in the dashboard', () => {
    beforeAll(async () => {
      service = await shared.shop();
      cookie = await signedIn(service.query, service.seed.organizationId, 'viewer');
    });

    describe('The overview', () => {
      it('says where nothing is yet what will stand there', async () => {
        const text = await overview();

        expect(text).toContain('Nothing needs your attention.');
        expect(after(text, 'Payments').at(0)).toBe('0');
        expect(after(text, 'Conversion').at(0)).toBe('–');
        expect(text).toContain('No final payments yet.');
        expect(text).toContain('Payment requests are created by the API');
      });

      it.each([
        ['es', 'Resumen'],
        ['pt', 'Visão geral'],
      ])('is in its reader’s language: %s', async (language, title) => {
        const headers = { cookie, 'accept-language': `${language}-AR,en;q=0.5` };
        const answer = await fetch(`${service.apiUrl}/app`, { headers });
        const html = await answer.text();

        expect(answer.headers.get('content-language')).toBe(language);
        expect(answer.headers.get('vary')).toContain('Accept-Language');
        expect(html).toContain(`<html lang="${language}">`);
        expect(html).toContain(`<h1>${title}</h1>`);
        expect(html).not.toMatch(/>(Overview|Payments|Needs attention|Payment requests|Sign out)</);
      });

      it('counts what was created and paid, with the volume and the money of each asset', async () => {
        await create();
        const { id, address } = await create();
        await service.wallet.send(tokenOf(service.assets[0]!.unique_asset_id), address, 12_500_000n);
        await service.chain.mine(6);
        await eventually(
          () =>
            service.query(
              `SELECT FROM figures.daily WHERE figure = 'paid' AND scope_id = $1
               AND EXISTS (SELECT FROM ledger.transactions WHERE payment_request_id = $2)`,
              [service.seed.organizationId, id],
            ),
          (rows) => rows.length === 1,
        );

        const text = await overview('?days=30');

        expect(after(text, 'Volume').slice(0, 2)).toEqual(['12.50', '\u00a0USDC']);
        expect(after(text, 'Payments').slice(0, 2)).toEqual(['1', 'no earlier data']);
        expect(after(text, 'Conversion').at(0)).toBe('100 %');
        expect(after(text, 'Half paid within').at(0)).toMatch(/^\d+ (second|minute)s?$/);
        expect(after(text, 'Completed').at(0)?.trim()).toBe('1');
        expect(after(text, 'Created').at(-1)).toBeDefined();
        expect(text).toMatch(/2 created, 1 paid/);
        expect(text).toContain('Volume in USDC');
        expect(text).toMatch(/on [^|]+\|+12\.50\|+\u00a0USDC\|/);
      });

      it('is of the last seven days, or of thirty, beside the days before', async () => {
        await service.advance(10 * 86_400);

        const payments = async (query: string) =>
          after(await overview(query, await again()), 'Payments').slice(0, 2);

        expect(await payments('')).toEqual(['0', '-100 % vs. the previous 7 days']);
        expect(await payments('?days=30')).toEqual(['1', 'no earlier data']);
        expect(await payments('?days=x')).toEqual(['0', '-100 % vs. the previous 7 days']);
      });

      it('is of nobody else’s payments', async () => {
        const [{ id }] = (await service.query<{ id: string }>(
          `INSERT INTO identity.organizations (id, name, created_at, updated_at)
       VALUES (gen_random_uuid(), '<script>Others', now(), now()) RETURNING id`,
        )) as [{ id: string }];

        const text = await overview('?days=30', await signedIn(service.query, id, 'owner'));

        expect(after(text, 'Payments').at(0)).toBe('0');
        expect(text).toContain('&lt;script>Others');
      });
    });
  });
}

/** Someone signed in at the present time of the clock. */
function again(): Promise<string> {
  return signedIn(service.query, service.seed.organizationId, 'viewer');
}
