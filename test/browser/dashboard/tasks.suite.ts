import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { startReceiver, type Receiver } from '#contexts/webhooks/testing/receiver.js';
import { tokenOf } from '#sandbox/payer/payer-wallet.js';
import { signedIn } from '#test/support/dashboard-session.js';
import { eventually } from '#test/support/eventually.js';
import type { TestService } from '#test/support/service.js';

const MAX_CLICKS = 3;

let service: TestService;
let browser: Browser;
let shop: Receiver;
let page: Page;
let hash: string;
let clicks = 0;

/** Each task begins at the first page. */
async function begin(): Promise<void> {
  clicks = 0;
  await page.goto(`${service.apiUrl.replace('127.0.0.1', 'localhost')}/app`);
}

async function click(role: 'link' | 'button', name: string | RegExp): Promise<void> {
  clicks += 1;
  await page.getByRole(role, { name }).first().click();
}

export function tasksSuite(shared: () => { readonly service: TestService; readonly browser: Browser }): void {
  describe('Tasks', () => {
    beforeAll(async () => {
      ({ service, browser } = shared());
      shop = await startReceiver();
      const { accountId, posId, organizationId } = service.seed;
      await service.api.post(`/v1/account/${accountId}/webhook`, {
        url: shop.url,
        event_type: 'payment_request',
      });
      const asset = service.assets[0]!;
      const body = { amount: '12.5', unique_asset_id: asset.unique_asset_id, reference_id: 'order-1' };
      const made = await service.api.post<{ id: string; address: `0x${string}` }>(
        `/v1/pos/${posId}/payment-request`,
        body,
      );
      hash = await service.wallet.send(tokenOf(asset.unique_asset_id), made.address, 5_000_000n);
      await service.chain.mine(1);
      await eventually(
        () => service.query<{ seen: number }>('SELECT count(*)::int AS seen FROM webhooks.delivery_attempts'),
        ([row]) => row!.seen > 0,
      );
      const context = await browser.newContext();
      const [name, value] = (await signedIn(service.query, organizationId, 'owner')).split('=') as [
        string,
        string,
      ];
      const domain = 'localhost';
      await context.addCookies([
        { name, value, domain, path: '/', secure: true, httpOnly: true, sameSite: 'Lax' },
      ]);
      page = await context.newPage();
    });

    afterAll(async () => {
      await shop.close();
    });

    describe('A merchant needs at most three clicks', () => {
      it('to find a payment by the payer’s hash, and say why it is not paid', async () => {
        await begin();
        await page.getByRole('searchbox').fill(hash);
        await page.keyboard.press('Enter');

        await page.getByRole('heading', { name: 'Why isn’t it paid?' }).waitFor();
        expect(await page.getByText(hash).count()).toBeGreaterThan(0);
        expect(clicks).toBeLessThanOrEqual(MAX_CLICKS);
      });

      it('to resend a webhook', async () => {
        const before = shop.requests.length;
        await begin();
        await click('link', 'Webhooks');
        await click('link', new RegExp(new URL(shop.url).host));
        await click('button', /^Resend/);

        await eventually(
          async () => shop.requests.length,
          (received) => received > before,
        );
        expect(clicks).toBeLessThanOrEqual(MAX_CLICKS);
      });

      it('to make a key', async () => {
        await begin();
        await click('link', 'API keys');
        await click('link', 'Create a key');
        await page.getByLabel('Name').fill('Till');
        await page.getByLabel('One-time code').fill('000000');
        await click('button', 'Create the key');

        // The code is wrong here: the life of a key is shown in dashboard.browser.ts.
        await page.getByText('Enter the one that is shown now').waitFor();
        expect(clicks).toBeLessThanOrEqual(MAX_CLICKS);
      });

      it('to export last month', async () => {
        await begin();
        await click('link', 'Transactions');
        await click('link', 'Last month');
        const file = page.waitForEvent('download');
        await click('link', /CSV/);

        expect((await file).suggestedFilename()).toMatch(/\.csv$/);
        expect(clicks).toBeLessThanOrEqual(MAX_CLICKS);
      });
    });
  });
}
