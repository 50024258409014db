import { beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '#shared/kernel/ids.js';
import { visible } from '#shared/web/testing/visible-text.js';
import { anotherOrganization } from '../../support/another-organization.js';
import { signedIn } from '../../support/dashboard-session.js';
import type { TestService } from '../../support/service.js';
import type { SharedService } from '../../support/shared-service.js';

const HOSTILE = `"><img src=x onerror=alert(1)>`;
const HASH = `0x${'ab'.repeat(32)}`;

let service: TestService;
let viewer: string;

async function get(path: string, cookie = viewer) {
  const answer = await fetch(service.apiUrl + path, { headers: { cookie }, redirect: 'manual' });
  return { status: answer.status, html: await answer.text(), location: answer.headers.get('location') };
}

/** @param payments of each of them @returns the payment requests of the last one */
async function settle(count: number, payments: number, account = service.seed.accountId): Promise<string[]> {
  const requests = Array.from({ length: payments }, () => newId());
  for (let n = 0; n < count; n += 1) {
    const id = newId();
    await service.query(
      `INSERT INTO settlement.settlements (id, payouts_id, organization_id, account_id, network, unique_asset_id, currency,
         decimals, amount, fee_amount, settlement_address, paid_from, transaction_hash, payment_count, status, created_at,
         updated_at)
       VALUES ($1, $1, $2, $3, 'sandbox', 'usdc', 'USDC', 6, 24750000, 250000, $4, $4, $5, $6, 'completed',
         platform.now(), platform.now())`,
      [id, service.seed.organizationId, account, `0x${'c1'.repeat(20)}`, HASH, payments],
    );
    await service.query(
      `INSERT INTO settlement.settled_addresses (settlement_id, number, payment_request_id, address, to_settlement, to_fee,
         fee_basis_points)
       SELECT $1, n, r, '0x00', 24750000, 250000, 100 FROM unnest($2::uuid[]) WITH ORDINALITY AS r (r, n)`,
      [id, requests],
    );
  }
  return requests;
}

export function settlementsSuite(shared: SharedService): void {
  describe('Settlements in the dashboard', () => {
    beforeAll(async () => {
      service = await shared.shop();
      viewer = await signedIn(service.query, service.seed.organizationId, 'viewer');
    });

    describe('The settlements', () => {
      it('say that there are none yet', async () => {
        const { status, html } = await get('/app/settlements');

        expect(status).toBe(200);
        expect(html).toContain('No settlements yet.');
      });

      it('show amounts, network, hash, status and payments, and accounts’ names as text', async () => {
        const [request] = await settle(1, 1);
        await service.query('UPDATE identity.accounts SET name = $2 WHERE id = $1', [
          service.seed.accountId,
          HOSTILE,
        ]);

        const { html } = await get('/app/settlements');

        const shown = ['24.75 USDC', '0.25 USDC', 'Sandbox', HASH, 'Completed', '1 payment', '1–1 of 1'];
        for (const text of shown) expect(visible(html)).toContain(text);
        const { html: alone } = await get(`/app/settlements?transaction=${HASH}`);
        expect(alone).toContain(`/app/payments/${request}`);
        // This network names no explorer.
        expect(html).not.toContain(`/tx/${HASH}`);
        expect(html).not.toContain('<img');
        expect(html).toContain('&lt;img');
      });

      it('are those of one account, and of no other organization', async () => {
        const stranger = await anotherOrganization(service.query, service.seed.organizationId);
        const cookie = await signedIn(service.query, stranger, 'owner');

        expect((await get(`/app/settlements?account=${service.seed.accountId}`)).html).toContain('1–1 of 1');
        expect((await get('/app/settlements', cookie)).html).toContain('No settlements yet.');
        expect((await get(`/app/settlements?account=${service.seed.accountId}`, cookie)).status).toBe(403);
        expect((await get(`/app/settlements?account=${newId()}`)).status).toBe(403);
        expect((await get('/app/settlements?organization_id=1')).status).toBe(400);
      });

      it('are found by their hash and id, and shown alone then, to nobody else', async () => {
        const [{ id }] = (await service.query<{ id: string }>(
          'SELECT id FROM settlement.settlements WHERE organization_id = $1',
          [service.seed.organizationId],
        )) as [{ id: string }];
        const stranger = await anotherOrganization(service.query, service.seed.organizationId);
        const cookie = await signedIn(service.query, stranger, 'owner');
        const path = `/app/settlements?transaction=${HASH}`;

        for (const typed of [HASH.toUpperCase().replace('0X', '0x'), id])
          expect((await get(`/app/search?q=${typed}`)).location).toBe(path);
        expect((await get(path)).html).toContain('1–1 of 1');
        expect((await get(`/app/settlements?transaction=${HASH.slice(0, -1)}0`)).html).not.toContain(HASH);
        expect((await get(path, cookie)).html).not.toContain('Completed');
        expect((await get(`/app/search?q=${HASH}`, cookie)).html).toContain('No results');
      });

      it('come by pages of 20 in at most 30 kB, those of one transaction with the first ten payments of each', async () => {
        await settle(30, 12);

        const first = await get('/app/settlements');

        expect(first.html).toContain('1–20 of 31');
        expect(first.html).toContain('href="/app/settlements?page=2"');
        expect(first.html).toContain('12 payments');
        expect(first.html).not.toContain('and 2 more');
        expect((await get(`/app/settlements?transaction=${HASH}`)).html).toContain('and 2 more');
        expect(Buffer.byteLength(first.html)).toBeLessThan(30_000);
        expect((await get('/app/settlements?page=2')).html).toContain('21–31 of 31');
      });
    });
  });
}
