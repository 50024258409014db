import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import { CountingProxy } from './counting-proxy.js';
import { pageFaults } from '#test/support/page-faults.js';
import type { PayerWorld } from '#test/support/payer-world.js';
import { charge, saleIs, TillCounter, type } from '#test/support/till-phone.js';

const CREATES = '**/payment-request-checkout';
const THREE_DAYS = 3 * 86_400_000;
/** Without tips, so that a charge is one press. */
const PLAIN = { coin_code: 'USD' };

/** Makes the sale that the phone keeps eleven minutes older. */
const OLDER = `(async () => {
  const ended = (request) => new Promise((resolve) => (request.onsuccess = () => resolve(request.result)));
  const phone = await ended(indexedDB.open('till', 1));
  const shelf = phone.transaction('kept', 'readwrite').objectStore('kept');
  const sales = await ended(shelf.get('sales'));
  sales.sale.madeAt -= 11 * 60_000;
  await ended(shelf.put(sales, 'sales'));
})()`;

let world: PayerWorld;
async function chargePlain(page: Page, amount: string): Promise<void> {
  await type(page, amount);
  await page.locator('#charge').click();
}

export function tillFaultsSuite(shared: () => PayerWorld): void {
  describe('A till during failures', () => {
    beforeAll(() => {
      world = shared();
    });
    afterEach(() => world.leave());

    it('shows one sale after the API was killed while it created the sale', async () => {
      const [first, second] = [
        await world.service.killableApi(world.service.databaseUrl),
        await world.service.anotherApi(),
      ];
      const proxy = await CountingProxy.before(first.url);
      world.allow(proxy.origin);
      const counter = await TillCounter.open(world, PLAIN, proxy.origin);
      const page = await counter.pairedPhone();
      // The answer of the first API is lost with its process.
      const lost = async (route: Route) => {
        await route.fetch();
        first.kill();
        await route.abort();
      };
      await page.route(CREATES, lost, { times: 1 });
      await chargePlain(page, '4');
      await page.locator('#offline').waitFor();
      await page.reload();
      await saleIs(page, 'Sending …');
      proxy.target = second;

      await saleIs(page, 'Waiting for payment');
      expect(await counter.count()).toBe(1);
      world.takeComplaints();
      await page.close();
      await proxy.close();
    });

    it('counts the remaining time by the clock of the service, in the language of the phone', async () => {
      const counter = await TillCounter.open(world);
      const page = await counter.pairedPhone({ locale: 'es-ES', ahead: THREE_DAYS });
      await charge(page, '3', /Sin propina/);

      await saleIs(page, 'Esperando el pago');
      await page.locator('#code img').waitFor();
      expect(await page.locator('#time-left').textContent()).toMatch(/[78]:\d\d/);
      expect(await page.locator('html').getAttribute('lang')).toBe('es');
    });

    it('expires a sale that was cancelled before its response', async () => {
      const counter = await TillCounter.open(world, PLAIN);
      const page = await counter.pairedPhone();
      await page.route(CREATES, async (route) => {
        await route.fetch();
        await route.abort();
      });
      await chargePlain(page, '2');
      await page.locator('#offline').waitFor();
      await page.locator('#cancel').click();
      await page.locator('#typed').waitFor();

      await counter.hasEnded();
      await page.unroute(CREATES);
      await chargePlain(page, '5');
      await saleIs(page, 'Waiting for payment');
      expect(await counter.count()).toBe(2);
      world.takeComplaints();
    });

    it('does not create a sale after ten minutes without a network, and shows that', async () => {
      const counter = await TillCounter.open(world, PLAIN);
      const page = await counter.pairedPhone();
      await page.route(CREATES, (route) => route.abort());
      await chargePlain(page, '2');
      await page.locator('#offline').waitFor();
      await page.evaluate(OLDER);
      await page.unroute(CREATES);
      await page.reload();

      await page.locator('#pad-problem', { hasText: 'was not sent' }).waitFor();
      expect(await counter.count()).toBe(0);
      world.takeComplaints();
    });

    it('shows why the service rejects a sale and keeps the amount, or retries a sale without a rate', async () => {
      const page = await (await TillCounter.open(world, { coin_code: 'USDC' })).pairedPhone();
      await chargePlain(page, '0.00000001');
      await page.locator('#pad-problem', { hasText: 'amount' }).waitFor();
      expect(await page.locator('#typed').textContent()).toBe('0.00000001\u00a0USDC');

      const euros = await (await TillCounter.open(world, { coin_code: 'EUR' })).pairedPhone();
      await chargePlain(euros, '2');
      await euros.locator('#sale-problem', { hasText: 'EUR' }).waitFor();
      expect(await euros.locator('#state').textContent()).toBe('Sending …');
      world.takeComplaints();
    });

    it('has no accessibility fault on any screen, in both themes and at every width', async () => {
      const counter = await TillCounter.open(world);
      const blank = await world.blank({ clock: false });
      await blank.goto(counter.url);
      await blank.locator('#pair').waitFor();
      expect(await pageFaults(blank)).toEqual([]);
      const page = await counter.pairedPhone();
      const screens = [
        async () => undefined,
        async () => {
          await type(page, '3');
          await page.locator('#charge').click();
        },
        async () => {
          await page.locator('.tip', { hasText: '5' }).click();
          await page.locator('#code img').waitFor();
        },
        async () => {
          await page.locator('#cancel').click();
          await saleIs(page, 'Cancelled');
        },
        async () => {
          await page.locator('[data-opens=today]').click();
          await page.locator('.payment').waitFor();
        },
        () => page.locator('[data-opens=settings]').click(),
      ];
      for (const open of screens) {
        await open();
        expect(await pageFaults(page)).toEqual([]);
      }
    });
  });
}
