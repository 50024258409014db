import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { PointOfSaleAnswer } from '#contexts/point-of-sale/infrastructure/http/point-of-sale-answer.dto.js';
import { PayerWorld, POLL, sees, standsAt } from '#test/support/payer-world.js';

let world: PayerWorld;

export async function newTill(world: PayerWorld, config: object = {}): Promise<PointOfSaleAnswer> {
  const { api, seed, assets } = world.service;
  return api.post<PointOfSaleAnswer>('/v1/pos', {
    ...{ name: 'Till 1', type: 'physical', account_id: seed.accountId },
    config: {
      merchant: { name: 'Corner Coffee' },
      payment_options: assets
        .filter(({ symbol }) => symbol.startsWith('USD'))
        .map((asset) => asset.unique_asset_id),
      till: { coin_code: 'USD' },
      ...config,
    },
  });
}

export function tillCodeSuite(shared: () => PayerWorld): void {
  describe('A payer who scans the code at a till', () => {
    beforeAll(() => {
      world = shared();
    });
    afterEach(() => world.leave());

    it('waits on a page that continues once the cashier has created a request', async () => {
      const till = await newTill(world);
      const page = await world.blank();
      await page.goto(till.code_url!);
      await sees(page, 'Nothing to pay yet');

      const price = { amount: '12.50', coin_code: 'USD' };
      const made = await world.service.api.post<{ session_id: string }>(
        `/v1/pos/${till.id}/payment-request-checkout`,
        price,
      );
      await page.clock.runFor(POLL);

      await standsAt(page, 'Choose what to pay with');
      expect(page.url()).not.toContain(made.session_id);
    });

    it('types an amount on the keys of a small phone, and opens its checkout', async () => {
      const till = await newTill(world, { open_amount: true });
      const page = await world.blank({ viewport: { width: 320, height: 568 } });
      await page.goto(till.code_url!);

      for (const key of ['7', '.', '5', '0', '5'])
        await page.getByRole('button', { name: key, exact: true }).click();
      await page.getByRole('button', { name: 'Delete last digit' }).click();
      expect(await page.locator('#amount').inputValue()).toBe('7.50');
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
      await page.getByRole('button', { name: 'Continue' }).click();

      await standsAt(page, 'Choose what to pay with');
      await sees(page, '7.50');
    });
  });
}
