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

const factOf = (text: string, name: string) => new RegExp(`\\|${name}\\|+([^|]+)`).exec(text)?.[1];
const rowOf = (text: string, first: string) => text.split(`|${first}|`)[1]?.split('|').filter(Boolean);

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

        expect(factOf(text, 'Payment requests created')).toBe('0');
        expect(factOf(text, 'Conversion, of those that ended')).toBe('–');
        expect(text).toContain('No payment became final in this time.');
        expect(text).toContain('A request is created by the API');
      });

      it('counts what was created and paid, with the volume of each asset', async () => {
        await create();
        const { id, address } = await create();
        await service.wallet.send(tokenOf(service.assets[0]!.unique_asset_id), address, 12_500_000n);
        await service.chain.mine(6);
        await eventually(
          () =>
            service.query(
              'SELECT FROM payments.payment_requests WHERE id = $1 AND confirmed_at IS NOT NULL',
              [id],
            ),
          (rows) => rows.length === 1,
        );

        const text = await overview('?days=30');

        expect(factOf(text, 'Payment requests created')).toBe('2');
        expect(factOf(text, 'Paid in full, or more')).toBe('1');
        expect(factOf(text, 'Still open')).toBe('1');
        expect(factOf(text, 'Conversion, of those that ended')).toBe('100 %');
        expect(factOf(text, 'Time to a final payment, median')).toMatch(/^\d+ s$/);
        expect(text).toMatch(/\|USDC on [^|]+\|+1\|+12\.5\u00a0USDC\|/);
        expect(rowOf(text, 'completed')?.[0]).toBe('1');
        const [{ day }] = (await service.query<{ day: string }>(
          `SELECT to_char(platform.now() AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day`,
        )) as [{ day: string }];
        expect(rowOf(text, day)?.slice(0, 2)).toEqual(['2', '1']);
      });

      it('is of the last seven days, or of thirty', async () => {
        await service.advance(10 * 86_400);

        const created = async (query: string) =>
          factOf(await overview(query, await again()), 'Payment requests created');

        expect([await created(''), await created('?days=30'), await created('?days=x')]).toEqual([
          '0',
          '2',
          '0',
        ]);
      });

      it('is of nobody else’s payments', async () => {
        const [{ id }] = (await service.query<{ id: string }>(
          `INSERT INTO identity.organizations (id, name, created_at, updated_at)
       VALUES (gen_random_uuid(), '<script>Others', now(), now()) RETURNING id`,
        )) as [{ id: string }];

        const text = await overview('?days=30', await signedIn(service.query, id, 'owner'));

        expect(factOf(text, 'Payment requests created')).toBe('0');
        expect(text).toContain('&lt;script>Others');
      });
    });
  });
}

/** Someone signed in at the present time of the clock. */
function again(): Promise<string> {
  return signedIn(service.query, service.seed.organizationId, 'viewer');
}
