import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { PayerWorld, SHOP, sees, standsAt } from '#test/support/payer-world.js';

let world: PayerWorld;

const isShown = (page: Page, selector: string) => page.locator(selector).isVisible();

async function tabTo(page: Page, selector: string): Promise<void> {
  for (let presses = 0; presses < 40; presses += 1) {
    await page.keyboard.press('Tab');
    if ((await page.locator(`${selector}:focus`).count()) > 0) return;
  }
  throw new Error(`${selector} was not reached by Tab.`);
}

function prepare(shared: () => PayerWorld): void {
  beforeAll(async () => {
    world = shared();
  });

  afterEach(() => world.leave());
}

export function payingSuite(shared: () => PayerWorld): void {
  describe('Paying', () => {
    prepare(shared);

    describe('A payer at the hosted checkout', () => {
      it('chooses an asset, pays the exact amount, and is redirected to the shop', async () => {
        const checkout = await world.checkout();
        const page = await world.open(checkout);
        await page.getByRole('button', { name: /USDC/ }).click();
        await standsAt(page, 'Waiting for your payment');
        const focused = page.locator('#status:focus');
        await focused.waitFor();
        await page.getByRole('button', { name: 'Pay exactly' }).click();
        await world.becomes(checkout, 'processing');
        await world.poll(page);
        await standsAt(page, 'Payment detected, confirming');
        await sees(page, /of 5 confirmations/);
        await world.finalise();
        await world.becomes(checkout, 'completed');
        await world.poll(page);
        await standsAt(page, 'Payment complete');
        await focused.waitFor();
        expect(await page.locator('div.receipt').textContent()).toMatch(
          /Paid to.*Demonstration shop.*Amount\$12\.50.*Paid with12\.50\sUSDC on .*Time.*UTC.*Transaction0x/,
        );

        await sees(page, /Returning to .*Demonstration shop/);
        await page.clock.runFor(20_000);
        await page.waitForURL(`${SHOP}/**`);

        expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
          cart: '7',
          payment_request_id: checkout.id,
          status: 'completed',
        });
      });

      it('pays a part, sees the remaining amount, and pays it', async () => {
        const checkout = await world.chosenCheckout();
        const page = await world.open(checkout);
        await page.getByRole('button', { name: 'Pay less' }).click();
        await world.becomes(checkout, 'processing');
        await world.poll(page);

        await standsAt(page, 'Part of the payment received');
        await sees(page, 'Send the remaining 6.25 USDC before time runs out.');
        expect(await page.locator('#amount').textContent()).toBe('6.25');
        await page.getByRole('button', { name: 'Pay exactly' }).click();
        await world.becomesPaid(checkout, '12.5');
        await world.finalise();
        await world.becomes(checkout, 'completed');
        await world.poll(page);

        await standsAt(page, 'Payment complete');
      });

      it('pays without JavaScript on a page that refreshes until the payment ends', async () => {
        const checkout = await world.checkout();
        const page = await world.open(checkout, { javaScriptEnabled: false });
        await page.getByRole('button', { name: /USDC/ }).click();
        await standsAt(page, 'Waiting for your payment');
        const refresh = () => page.locator('meta[http-equiv="refresh"]');
        expect(await refresh().getAttribute('content')).toBe('30');
        await page.getByText('Copy the address or scan').click();
        expect(await isShown(page, '#address')).toBe(true);
        expect(await isShown(page, '#address-copy')).toBe(false);
        expect(await isShown(page, '#token')).toBe(true);
        await page.getByRole('button', { name: 'Pay exactly' }).click();
        await world.becomes(checkout, 'processing');
        await page.getByRole('link', { name: 'Refresh this page' }).click();
        await standsAt(page, 'Payment detected, confirming');
        await world.finalise();
        await world.becomes(checkout, 'completed');
        await page.getByRole('link', { name: 'Refresh this page' }).click();

        await standsAt(page, 'Payment complete');
        expect(await page.getByRole('link', { name: 'Refresh this page' }).count()).toBe(0);
        expect(await refresh().count()).toBe(0);
      });
    });
  });
}

export function payingCases(shared: () => PayerWorld): void {
  describe('Paying', () => {
    prepare(shared);

    describe('A payer at the hosted checkout', () => {
      it('stays on the page if requested, and returns to the shop by the button', async () => {
        const checkout = await world.chosenCheckout();
        await world.pay(checkout, '12.5');
        await world.finalise();
        await world.becomes(checkout, 'completed');
        const page = await world.open(checkout);

        await page.getByRole('button', { name: 'Stay here' }).click();
        await page.clock.runFor(60_000);
        expect(await isShown(page, '#pause')).toBe(false);
        expect(page.url()).toBe(checkout.hosted_checkout_url);

        const another = await world.open(checkout, { clock: false });
        await another.getByRole('link', { name: /Back to/ }).click();
        await another.waitForURL(`${SHOP}/thanks?cart=7&payment_request_id=${checkout.id}&status=completed`);
        await another.goBack();
        expect(await isShown(another, '#return')).toBe(true);
        expect(await isShown(another, '#pause')).toBe(false);
      });

      it('pays too much, and sees the excess', async () => {
        const checkout = await world.chosenCheckout('DAI');
        const page = await world.open(checkout);
        await page.getByRole('button', { name: 'Pay more' }).click();
        await world.becomesPaid(checkout, '15');
        await world.finalise();
        await world.becomes(checkout, 'overpaid');
        await world.poll(page);

        await standsAt(page, 'Paid');
        await sees(page, 'You sent 2.50 DAI too much.');
        await page.clock.runFor(20_000);
        await page.waitForURL(/status=overpaid/);
      });

      it('changes the asset until a payment is detected', async () => {
        const checkout = await world.chosenCheckout('USDC');
        const page = await world.open(checkout);
        const first = await page.locator('#open-uri').getAttribute('href');
        await page.getByText('Pay with another coin').click();
        await page.getByRole('button', { name: /DAI/ }).click();
        await page.locator('.asset', { hasText: '12.50 DAI' }).waitFor();
        const second = await page.locator('#open-uri').getAttribute('href');
        await page.getByText('Pay with another coin').waitFor();
        await world.pay(checkout, '5');
        await world.poll(page);

        await standsAt(page, 'Part of the payment received');
        expect(second).not.toBe(first);
        expect(await page.getByText('Pay with another coin').count()).toBe(0);
        expect(await page.locator('button[name="unique_asset_id"]').count()).toBe(0);
      });

      it('sees in one tab the asset selected in another', async () => {
        const checkout = await world.checkout();
        const [one, other] = await Promise.all([world.open(checkout), world.open(checkout)]);
        await one.getByRole('button', { name: /USDT/ }).click();
        await standsAt(one, 'Waiting for your payment');
        await world.poll(other);

        await standsAt(other, 'Waiting for your payment');
        expect(await other.locator('#address').textContent()).toBe(
          await one.locator('#address').textContent(),
        );
      });

      it('opens another way to pay, which stays open when the page updates', async () => {
        const checkout = await world.chosenCheckout();
        const page = await world.open(checkout);
        // The sandbox's own wallet announces itself.
        await page.getByRole('button', { name: /Connect .*Sandbox wallet/ }).waitFor();
        expect([await isShown(page, '#address'), await isShown(page, '#token')]).toEqual([false, false]);

        await page.getByText('More ways to pay').click();
        expect(await isShown(page, '#token')).toBe(true);
        await world.pay(checkout, '5');
        await world.poll(page);
        await standsAt(page, 'Part of the payment received');
        expect(await isShown(page, '#token')).toBe(true);
      });

      it('opens a wallet first on a phone, with and without JavaScript', async () => {
        const checkout = await world.chosenCheckout();
        for (const javaScriptEnabled of [true, false]) {
          const page = await world.open(checkout, { javaScriptEnabled });
          expect(await isShown(page, '#open-uri')).toBe(true);
          expect([await isShown(page, '#address'), await isShown(page, '#open-uri-last')]).toEqual([
            false,
            false,
          ]);

          await page.getByText('Copy the address or scan').click();
          expect(await isShown(page, '#address')).toBe(true);
        }
        const desktop = await world.open(checkout, { viewport: { width: 1280, height: 800 } });
        expect([await isShown(desktop, '#open-uri'), await isShown(desktop, '#open-uri-last')]).toEqual([
          false,
          true,
        ]);
      });

      it('keeps the wallet of the browser when the page updates', async () => {
        const checkout = await world.chosenCheckout();
        const page = await world.open(checkout);
        await page.evaluate(() => {
          const wallet = document.getElementById('browser-wallet')!;
          wallet.append('A wallet was found.');
          wallet.hidden = false;
        });
        await sees(page, 'A wallet was found.');

        await page.route(`${checkout.hosted_checkout_url}*`, async (route) => {
          const answer = await route.fetch();
          const body = (await answer.text()).replace('Pay with another coin', 'Another asset');
          await route.fulfill({ response: answer, body });
        });
        await page.evaluate(() => (document.querySelector('main')!.dataset.etag = ''));
        await world.poll(page);

        await sees(page, 'Another asset');
        await sees(page, 'A wallet was found.');
      });

      it('sees the selection on the next page', async () => {
        const headings: string[] = [];
        for (let i = 0; i < 20; i += 1) {
          const { hosted_checkout_url: url } = await world.checkout();
          const form = new URLSearchParams({ unique_asset_id: world.asset('USDC').unique_asset_id });
          await fetch(url);
          // Fetch follows the redirect to the page.
          const page = await fetch(url, { method: 'POST', body: form });
          headings.push(/ id="status"[^>]*>([^<]*)/.exec(await page.text())![1]!);
        }

        expect(new Set(headings)).toEqual(new Set(['Waiting for your payment']));
      });

      it('pays with the keyboard only', async () => {
        const checkout = await world.checkout();
        const page = await world.open(checkout);
        const focused = (of: string) => page.locator(`${of}:focus-visible`);
        await tabTo(page, 'button[name="unique_asset_id"]');
        await page.keyboard.press('Enter');
        await standsAt(page, 'Waiting for your payment');
        await tabTo(page, '#scan summary');
        await page.keyboard.press('Enter');
        await tabTo(page, '#address-copy');

        const outline = await focused('#address-copy').evaluate((button) => {
          const { outlineStyle, outlineWidth } = getComputedStyle(button);
          return { style: outlineStyle, width: Number.parseInt(outlineWidth) };
        });
        expect(outline.style).toBe('solid');
        expect(outline.width).toBeGreaterThanOrEqual(2);
        await tabTo(page, '#sandbox-exact');
        // A browser that is closed on its way to the next page may take half a minute for it.
        const next = page.waitForEvent('load');
        await page.keyboard.press('Enter');
        await next;
        await world.becomes(checkout, 'processing');
      });

      it('keeps the keyboard focus when the page updates', async () => {
        const checkout = await world.chosenCheckout();
        const page = await world.open(checkout);
        await page.getByText('Copy the address or scan').click();
        await page.locator('#address-copy').focus();
        await world.pay(checkout, '5');
        await world.poll(page);
        await standsAt(page, 'Part of the payment received');
        expect(await page.locator('#address-copy:focus').count()).toBe(1);

        await world.pay(checkout, '7.5');
        await world.poll(page);
        await standsAt(page, 'Payment detected, confirming');

        expect(await page.locator('#status:focus').count()).toBe(1);
        expect(await page.locator('#news').textContent()).toContain('Payment detected, confirming');
      });
    });
  });
}
