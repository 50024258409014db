import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { CheckoutDto } from '#contexts/payments/infrastructure/requests/http/checkout.dto.js';
import { eventually } from '#test/support/eventually.js';
import { pageFaults } from '#test/support/page-faults.js';
import { PayerWorld, SHOP, sees, standsAt } from '#test/support/payer-world.js';

const WINDOW_SECONDS = 480;
/** The demonstration chain's: what is in a block by then still counts. */
const GRACE_SECONDS = 60;
const ORDER = {
  total: '12.50',
  coin_code: 'USD',
  description: 'Table 7',
  items: [{ description: 'Flat white', amount: '12.50', coin_code: 'USD', quantity: 2, unit_price: '6.25' }],
};

let world: PayerWorld;
let page: Page;

const opened: Record<string, CheckoutDto> = {};

async function visit(name: string): Promise<void> {
  await page.goto(opened[name]!.hosted_checkout_url);
}

/** The sandbox's wallet pays as soon as the chain is late enough. */
async function lateTransfers(): Promise<{ rows: number; address?: string }> {
  const transfers = () =>
    world.service.query<{ to_address: string }>(
      'SELECT to_address FROM payments.transfers WHERE payment_request_id = $1',
      [opened['late']!.id],
    );
  const rows = await eventually(transfers, ({ length }) => length > 0);
  return { rows: rows.length, address: rows[0]!.to_address };
}

export function endingSuite(shared: () => PayerWorld): void {
  describe('The end of a payment', () => {
    beforeAll(async () => {
      world = shared();
      page = await world.blank();
    });

    afterAll(async () => {
      await world?.leave();
    });

    describe('An open checkout', () => {
      it('passes accessibility checks while the payer chooses and waits', async () => {
        opened['choosing'] = await world.checkout({ order: ORDER });
        await visit('choosing');
        await standsAt(page, 'Choose what to pay with');
        expect(await pageFaults(page)).toEqual([]);

        opened['waiting'] = await world.chosenCheckout('USDC', { order: ORDER });
        await visit('waiting');
        await standsAt(page, 'Waiting for your payment');
        for (const fold of await page.locator('summary').all()) await fold.click();
        expect(await pageFaults(page)).toEqual([]);
      });

      it('passes accessibility checks while partly paid and when overpaid, and prints the receipt only', async () => {
        opened['partly paid'] = await world.chosenCheckout('USDC', { order: ORDER });
        opened['overpaid'] = await world.chosenCheckout('DAI');
        await world.pay(opened['partly paid'], '5');
        await world.pay(opened['overpaid'], '13');
        await visit('partly paid');
        await standsAt(page, 'Part of the payment received');
        expect(await pageFaults(page)).toEqual([]);

        await world.finalise();
        await world.becomes(opened['overpaid'], 'overpaid');
        await visit('overpaid');
        await page.locator('#stay').click();
        expect(await pageFaults(page)).toEqual([]);
        await page.emulateMedia({ media: 'print' });
        expect(await page.locator('#return').isVisible()).toBe(false);
        expect(await page.locator('#hash').isVisible()).toBe(true);
        await page.emulateMedia({ media: 'screen' });
      });
    });

    describe('A checkout whose time is over', () => {
      it('closes by the clock of the page, before the service closes it', async () => {
        await visit('waiting');
        await page.context().setOffline(true);
        await page.clock.fastForward(WINDOW_SECONDS * 1_000);

        await standsAt(page, 'The time to pay is over. Do not send anything now.');
        expect(await page.locator('#pay').isVisible()).toBe(false);
        await page.context().setOffline(false);
        world.takeComplaints();
      });

      it('shows no address while the last blocks are still checked', async () => {
        opened['late'] = await world.chosenCheckout();
        await visit('late');
        await page.getByRole('button', { name: 'Pay too late' }).click();
        await standsAt(page, 'Waiting for your payment');
        await world.service.advance(WINDOW_SECONDS + 5);
        // Not the checkout that has waited since the first test: by now its grace period may be over too.
        await visit('late');

        await standsAt(page, 'The time to pay is over');
        await sees(page, 'We are still checking for payments sent in time.');
        expect(await page.locator('#address').count()).toBe(0);
      });

      it('expires unpaid, with or without a selected asset', async () => {
        await visit('waiting');
        await page.clock.runFor(1);
        await world.becomes(opened['choosing']!, 'expired');
        await world.service.advance(GRACE_SECONDS);
        await world.finalise();
        await world.becomes(opened['waiting']!, 'expired');
        await world.poll(page);

        await standsAt(page, 'The time to pay is over');
        await sees(page, 'No payment arrived in time. Do not send anything now.');
        expect(await page.locator('#pay').isVisible()).toBe(false);
        expect(await page.locator('#stay').count()).toBe(0);
        expect(await pageFaults(page)).toEqual([]);
        await visit('choosing');
        await sees(page, 'No payment arrived in time.');
      });

      it('reports that a late payment is recorded', async () => {
        const { rows, address } = await lateTransfers();
        await world.becomes(opened['late']!, 'expired');
        await visit('late');

        expect(rows).toBe(1);
        expect(address).toBeDefined();
        await standsAt(page, 'The time to pay is over');
        await sees(page, 'It is recorded and not lost.');
        await page.clock.runFor(60_000);
        expect(page.url()).toContain('/checkout/');
        await page.locator('#return').click();
        await page.waitForURL(
          `${SHOP}/thanks?cart=7&payment_request_id=${opened['late']!.id}&status=expired`,
        );
      });

      it('ends as not paid in full without the remainder', async () => {
        await world.becomes(opened['partly paid']!, 'underpaid');
        await visit('partly paid');

        await standsAt(page, 'Not paid in full');
        await sees(page, 'Do not send more to this address.');
        expect(await page.locator('#state').textContent()).toMatch(/Received5.00\sUSDC.*Remaining7.50\sUSDC/);
        expect(await page.locator('#stay').count()).toBe(0);
      });
    });
  });
}
