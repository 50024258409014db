import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { pageFaults } from '#test/support/page-faults.js';
import { sees, type PayerWorld } from '#test/support/payer-world.js';
import { charge, saleIs, signals, TillCounter, type } from '#test/support/till-phone.js';

const CREATES = '**/payment-request-checkout';

let world: PayerWorld;
let counter: TillCounter;

/** Without tips, so that a charge is one press. */
const PLAIN = { coin_code: 'USD' };

async function chargePlain(page: Page, amount: string): Promise<void> {
  await type(page, amount);
  await page.locator('#charge').click();
}

function prepare(shared: () => PayerWorld): void {
  beforeAll(async () => {
    world = shared();
    counter = await TillCounter.open(world);
  });

  afterEach(() => world.leave());
}

export function tillSuite(shared: () => PayerWorld): void {
  describe('A till', () => {
    prepare(shared);

    it('sells products with a tip to a payer who pays in two parts, signals, and lists the sale', async () => {
      const page = await counter.pairedPhone();
      await type(page, '1.05');
      await page.locator('#open-products').click();
      await page.locator('.product', { hasText: 'Flat white' }).dblclick();
      await page.locator('#charge').click();
      await page.locator('.tip', { hasText: '10' }).click();

      // 1.05 and twice 4.20 are 9.45, and a tenth of them is 0.945.
      await saleIs(page, 'Waiting for payment');
      expect(await page.locator('#price').textContent()).toBe('$10.40');
      await page.locator('#code img').waitFor();
      await page.locator('[data-way=transfer]').click();
      await page.locator('.option', { hasText: 'USDC' }).click();
      await page.getByText('Send exactly').waitFor();

      const sale = await counter.newest();
      expect(sale.order?.items).toMatchObject([
        { description: 'Flat white', amount: '8.4', quantity: 2, unit_price: '4.2' },
        { description: 'Amount', amount: '1.05' },
        { description: 'Tip', amount: '0.95' },
      ]);
      await counter.pay('4');
      await saleIs(page, 'Partly paid');
      await sees(page, /4\sUSDC.* received, .*6\.4\sUSDC.* remaining/);
      await counter.pay('6.4');
      await saleIs(page, 'Detected, not final yet');
      await sees(page, /of .*5.* confirmations/);
      await world.finalise();
      await saleIs(page, 'Paid');
      expect(await signals(page)).toEqual([[100], [200, 100, 400]]);
      await page.locator('#receipt-picture img').waitFor();
      expect(await pageFaults(page)).toEqual([]);
      expect(await page.locator('#receipt-link').getAttribute('href')).toContain('/receipt/');
      expect(await page.locator('#dashboard-link').getAttribute('href')).toMatch(
        new RegExp(`/app/payments/${sale.id}$`),
      );

      await page.locator('#next-sale').click();
      await page.locator('[data-opens=today]').click();
      await page.locator('.payment', { hasText: 'Paid' }).waitFor();
      expect(await page.locator('#taken').textContent()).toBe('$10.40');
    });
  });
}

export function tillCases(shared: () => PayerWorld): void {
  describe('A till', () => {
    prepare(shared);

    it('cancels a sale, which removes the code and ends the time to pay', async () => {
      const page = await counter.pairedPhone();
      await charge(page, '3');
      await saleIs(page, 'Waiting for payment');
      await page.locator('#cancel').click();

      await saleIs(page, 'Cancelled');
      expect(await page.locator('#ways').isVisible()).toBe(false);
      const { expires_at, created_at } = await counter.newest();
      expect(Date.parse(expires_at) - Date.parse(created_at)).toBeLessThan(480_000);
      await page.locator('#next-sale').click();
      await page.locator('#typed').waitFor();
    });

    it('opens and charges offline, and creates the sale once it is online', async () => {
      const other = await TillCounter.open(world, PLAIN);
      const page = await other.pairedPhone();
      await page.evaluate(() => navigator.serviceWorker.ready);
      await page.context().setOffline(true);
      await page.reload();
      await chargePlain(page, '7.5');

      await page.locator('#offline').waitFor();
      await saleIs(page, 'Sending …');
      expect(await other.count()).toBe(0);
      await page.reload();
      await saleIs(page, 'Sending …');
      await page.context().setOffline(false);
      await saleIs(page, 'Waiting for payment');
      expect([await other.count(), await page.locator('#offline').isVisible()]).toEqual([1, false]);
      world.takeComplaints();
    });

    it('finds the created sale after the answer was lost and the page closed', async () => {
      const other = await TillCounter.open(world, PLAIN);
      const page = await other.pairedPhone();
      await page.route(CREATES, async (route) => {
        await route.fetch();
        await route.abort();
      });
      await chargePlain(page, '2');
      await page.locator('#offline').waitFor();
      const again = await page.context().newPage();
      await page.close();
      await again.goto(other.url);

      await saleIs(again, 'Waiting for payment');
      expect(await other.count()).toBe(1);
      world.takeComplaints();
    });

    it('is rejected at its next request after a revocation, and pairs only with an unused code', async () => {
      const other = await TillCounter.open(world, PLAIN);
      const page = await other.pairedPhone();
      const used = other.lastCode;
      await other.revoke();
      await chargePlain(page, '2');

      await sees(page, 'This phone is no longer paired');
      await page.locator('#pairing-code').fill(used);
      await page.locator('#pair').click();
      await sees(page, /unknown, already used or older than ten minutes/);
      await page.locator('#pairing-code').fill(await other.pairingCode());
      await page.locator('#pair').click();
      await page.locator('#pad-problem', { hasText: 'was not sent' }).waitFor();
      expect(await other.count()).toBe(0);
      world.takeComplaints();
    });
  });
}
