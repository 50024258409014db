import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { PayerWorld, POLL, sees, standsAt } from '#test/support/payer-world.js';
import { modulesOf, scan } from '#test/support/scan.js';

let world: PayerWorld;

export function detailsSuite(shared: () => PayerWorld): void {
  describe('Details of the checkout page', () => {
    beforeAll(() => {
      world = shared();
    });
    afterEach(() => world.leave());

    describe('The payment details', () => {
      it('copies address and amount', async () => {
        const checkout = await world.chosenCheckout();
        const permissions = ['clipboard-read', 'clipboard-write'];
        const page = await world.open(checkout, { permissions });
        const clipboard = () => page.evaluate(() => navigator.clipboard.readText());

        await page.getByText('Copy the address or scan').click();
        await page.locator('#address-copy').click();
        await page.locator('#address-copy', { hasText: 'Copied' }).waitFor();
        expect(await clipboard()).toBe((await world.progress(checkout)).address);
        await page.locator('#amount-copy').click();
        await page.locator('#amount-copy', { hasText: 'Copied' }).waitFor();
        expect(await clipboard()).toBe('12.50');
        expect(await page.locator('#news').textContent()).toBe('Copied');
      });

      it('opens a configured wallet with the token', async () => {
        const checkout = await world.chosenCheckout();
        const page = await world.open(checkout);
        const { token } = await world.progress(checkout);
        await page.getByText('More ways to pay').click();
        const hrefs = await Promise.all(
          ['Harbour', 'Pocket'].map(async (name) =>
            page.getByRole('link', { name: new RegExp(`Open in .*${name}`) }).getAttribute('href'),
          ),
        );

        const [harbour, pocket] = hrefs.map((href) => new URL(href!));
        expect(harbour!.href).toMatch(/^https:\/\/wallet\.example\/pay\?naspip_token=/);
        expect(harbour!.searchParams.get('naspip_token')).toBe(token);
        expect(pocket!.href).toMatch(/^pocket:\/\/pay\?via=page&naspip_token=/);
        expect(pocket!.searchParams.get('naspip_token')).toBe(token);
      });

      it('shows scannable codes of the address and the token, in light and dark', async () => {
        const checkout = await world.chosenCheckout();
        const { address, token } = await world.progress(checkout);
        const [ofAddress, ofToken] = [modulesOf(address!), modulesOf(token)];
        for (const colorScheme of ['light', 'dark'] as const) {
          const page = await world.open(checkout, { colorScheme, deviceScaleFactor: 2 });

          await page.getByText('Copy the address or scan').click();
          expect(await scan(page.locator('#way-address .qr img'), ofAddress.length)).toEqual(ofAddress);
          await page.getByText('More ways to pay').click();
          expect(await scan(page.locator('#more .qr img'), ofToken.length)).toEqual(ofToken);
        }
      });
    });

    describe('The language of the page', () => {
      it('follows the choice of the payer on every page, without JavaScript', async () => {
        const checkout = await world.checkout();
        const page = await world.open(checkout, { javaScriptEnabled: false });
        await page.getByRole('link', { name: 'Español' }).click();
        await standsAt(page, 'Elige con qué pagar');
        await page.getByRole('button', { name: /USDC/ }).click();
        await standsAt(page, 'Esperando tu pago');

        const unknown = new URL('/checkout/unknown', page.url()).href;
        await page.goto(unknown);
        await sees(page, 'Pago no encontrado');
        await page.getByRole('link', { name: 'Português' }).click();
        await sees(page, 'Pagamento não encontrado');
        expect(page.url()).toBe(unknown);
        world.takeComplaints();
      });
    });

    describe('The polling of the page', () => {
      it('polls every 3 seconds while visible, every 15 while hidden, and stops at the end', async () => {
        const checkout = await world.chosenCheckout();
        const page = await world.blank();
        await page.addInitScript(() => {
          let isHidden = false;
          Object.defineProperty(document, 'hidden', { get: () => isHidden });
          Object.assign(window, { hide: (hidden: boolean) => (isHidden = hidden) });
        });
        const answers: number[] = [];
        let unanswered = 0;
        page.on('request', (request) => {
          if (request.url().includes('/public/checkout/')) unanswered += 1;
        });
        page.on('response', (response) => {
          if (!response.url().includes('/public/checkout/')) return;
          answers.push(response.status());
          unanswered -= 1;
        });
        const asked = async (seconds: number) => {
          answers.length = 0;
          for (let passed = 0; passed < seconds; passed += 3) {
            await page.clock.runFor(POLL);
            do await page.waitForTimeout(40);
            while (unanswered > 0);
          }
          return [...answers];
        };
        await page.goto(checkout.hosted_checkout_url);

        const seen = await asked(30);
        await page.evaluate(() => {
          (window as unknown as { hide(hidden: boolean): void }).hide(true);
          document.dispatchEvent(new Event('visibilitychange'));
        });
        const unseen = await asked(60);
        await world.pay(checkout, '12.5');
        await world.finalise();
        await world.becomes(checkout, 'completed');
        await page.evaluate(() => {
          (window as unknown as { hide(hidden: boolean): void }).hide(false);
          document.dispatchEvent(new Event('visibilitychange'));
        });
        await standsAt(page, 'Payment complete');
        await page.locator('#stay').click();
        const ended = await asked(30);

        expect(new Set([...seen, ...unseen])).toEqual(new Set([304]));
        expect(seen.length).toBeGreaterThanOrEqual(8);
        expect(seen.length).toBeLessThanOrEqual(11);
        expect(unseen.length).toBeGreaterThanOrEqual(3);
        expect(unseen.length).toBeLessThanOrEqual(5);
        expect(ended).toEqual([]);
      });

      it('reports a lost connection, and continues when it is back', async () => {
        const checkout = await world.chosenCheckout();
        const page = await world.open(checkout);
        await page.context().setOffline(true);
        await page.clock.runFor(POLL);
        await sees(page, 'No connection. Retrying …');
        await world.pay(checkout, '12.5');
        expect(world.takeComplaints().every((text) => text.includes('ERR_INTERNET_DISCONNECTED'))).toBe(true);
        await page.context().setOffline(false);

        await standsAt(page, 'Payment detected, confirming');
        expect(await page.locator('#offline').isVisible()).toBe(false);
        world.takeComplaints();
      });
    });

    describe('The content security policy', () => {
      it('blocks scripts from other origins', async () => {
        const page = await world.open(await world.checkout());
        await page.evaluate(() => {
          const script = document.createElement('script');
          script.textContent = 'document.title = "taken over"';
          document.body.append(script);
        });

        expect(await page.title()).not.toBe('taken over');
        expect(world.takeComplaints()).toEqual([expect.stringContaining('Content Security Policy')]);
      });
    });
  });
}
