import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { startReceiver, type Receiver } from '#contexts/webhooks/testing/receiver.js';
import { tokenOf } from '#sandbox/payer/payer-wallet.js';
import { signedIn } from '#test/support/dashboard-session.js';
import { eventually } from '#test/support/eventually.js';
import { pageFaults } from '#test/support/page-faults.js';
import type { TestService } from '#test/support/service.js';

const MAX_CLICKS = 3;
/** The window and the network's grace. */
const PAYMENT_WINDOW_SECONDS = 480 + 60;
const UNTIL_FINAL = 20;

let service: TestService;
let browser: Browser;
let shop: Receiver;
let page: Page;
let hash: string;
let payment: string;
let cookie: { name: string; value: string };
let clicks = 0;

async function begin(): Promise<void> {
  clicks = 0;
  await page.goto(urlOf('/app'));
}

function urlOf(path: string): string {
  return service.apiUrl.replace('127.0.0.1', 'localhost') + path;
}

async function signedInContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(90_000);
  const domain = 'localhost';
  await context.addCookies([{ ...cookie, domain, path: '/', secure: true, httpOnly: true, sameSite: 'Lax' }]);
  return context;
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
      payment = made.id;
      hash = await service.wallet.send(tokenOf(asset.unique_asset_id), made.address, 5_000_000n);
      await service.chain.mine(1);
      await eventually(
        () => service.query<{ seen: number }>('SELECT count(*)::int AS seen FROM webhooks.delivery_attempts'),
        ([row]) => row!.seen > 0,
      );
      const header = await signedIn(service.query, organizationId, 'owner');
      const [name, value] = header.split('=') as [string, string];
      cookie = { name, value };
      page = await (await signedInContext()).newPage();
    });

    afterAll(async () => {
      await shop.close();
    });

    describe('A merchant, in at most three clicks', () => {
      it('finds a payment by the hash of the payer, and the reason why it is not paid', async () => {
        await begin();
        await page.getByRole('searchbox').fill(hash);
        await page.keyboard.press('Enter');

        await page.getByRole('heading', { name: 'Why this is not paid' }).waitFor();
        expect(await page.getByText(hash).count()).toBeGreaterThan(0);
        expect(clicks).toBeLessThanOrEqual(MAX_CLICKS);
      });

      it('resends a webhook', async () => {
        const before = shop.requests.length;
        await begin();
        await click('link', 'Webhooks');
        await click('link', new RegExp(new URL(shop.url).host));
        await page.getByRole('cell', { name: 'order-1' }).first().waitFor();
        await click('button', /^Resend/);

        await eventually(
          async () => shop.requests.length,
          (received) => received > before,
        );
        expect(clicks).toBeLessThanOrEqual(MAX_CLICKS);
      });
    });

    it('creates a point of sale and pairs a phone as its till in four clicks', async () => {
      await begin();
      await click('link', 'Points of sale');
      await click('link', 'Create point of sale');
      await page.getByLabel('Type').selectOption('Physical');
      await page.getByLabel('Name').fill('Bar');
      await click('button', 'Create point of sale');
      await click('button', 'Pair a phone');

      await page.getByRole('heading', { name: 'Pair a phone with Bar' }).waitFor();
      expect(await page.locator('#pairing-code').innerText()).toMatch(/^[2-9A-Z]{8}$/);
      expect(clicks).toBeLessThanOrEqual(MAX_CLICKS + 1);
    });

    it('accepts an underpaid payment in two clicks', async () => {
      await service.advance(PAYMENT_WINDOW_SECONDS);
      await service.chain.mine(UNTIL_FINAL);
      await eventually(
        () =>
          service.query<{ status: string }>('SELECT status FROM payments.payment_requests WHERE id = $1', [
            payment,
          ]),
        ([row]) => row!.status === 'underpaid',
      );
      await begin();
      await page.getByText('1 underpaid payment').waitFor();
      await click('link', 'View the payment');
      await click('button', /^Accept 5.00.USDC as paid$/);

      await page.getByText('Accepted as paid.').waitFor();
      expect(clicks).toBe(2);
    });

    describe('The design', () => {
      it.each(['/app', '/app/styleguide', '/app/payments/:id'])(
        'passes accessibility checks in both themes, on a phone and in a wide window: %s',
        async (path) => {
          await page.goto(urlOf(path.replace(':id', payment)));

          expect(await pageFaults(page)).toEqual([]);
        },
      );

      it('copies the full hash by the button beside a shortened one', async () => {
        await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
        await page.goto(urlOf(`/app/payments/${payment}`));
        await page
          .getByRole('button', { name: `Copy ${hash}` })
          .first()
          .click();
        await page.locator('#news', { hasText: 'Copied' }).waitFor({ state: 'attached' });

        expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(hash);
      });

      it('ends above the bar of a phone', async () => {
        const phone = await signedInContext({ viewport: { width: 390, height: 844 } });
        const narrow = await phone.newPage();
        await narrow.goto(urlOf('/app'));
        await narrow.evaluate(() => window.scrollTo(0, document.body.scrollHeight));

        const content = (await narrow.locator('main').boundingBox())!;
        const bar = (await narrow.getByRole('navigation', { name: 'Shortcuts' }).boundingBox())!;
        expect(content.y + content.height).toBeLessThanOrEqual(bar.y);
        await phone.close();
      });

      it('opens the menu on a phone without scripts', async () => {
        const phone = await signedInContext({
          javaScriptEnabled: false,
          viewport: { width: 390, height: 844 },
        });
        const without = await phone.newPage();
        await without.goto(urlOf('/app/payments'));
        expect(await without.getByRole('link', { name: 'Settlements' }).isVisible()).toBe(false);
        await without.getByRole('button', { name: 'Menu' }).click();
        await without.getByRole('link', { name: 'Settlements' }).click();

        await without.getByRole('heading', { name: 'Settlements' }).waitFor();
        await phone.close();
      });
    });
  });
}
