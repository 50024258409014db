import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { SAMPLE_LOGOS } from '#contexts/identity/testing/sample-logos.js';
import type { PaymentLinkDto } from '#contexts/payments/infrastructure/links/http/payment-link.dto.js';
import { accentsOf } from '#shared/web/branding/accents.js';
import { signedIn } from '#test/support/dashboard-session.js';
import { pageFaults } from '#test/support/page-faults.js';
import { sees, type PayerWorld } from '#test/support/payer-world.js';

const COLOUR = '#ffcc00';

let world: PayerWorld;
let owner: string;

async function post(path: string, body: FormData | URLSearchParams): Promise<void> {
  const { apiUrl } = world.service;
  const headers = { cookie: owner, 'sec-fetch-site': 'same-origin' };
  const answer = await fetch(apiUrl + path, { method: 'POST', headers, body, redirect: 'manual' });
  expect(answer.status).toBe(303);
}

async function lookOf(page: Page) {
  const logo = page.locator('header img');
  await logo.waitFor();
  const width = await logo.evaluate(async (image: HTMLImageElement) => {
    await image.decode();
    return image.naturalWidth;
  });
  const accents: Record<string, string> = {};
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    accents[colorScheme] = await page.evaluate(() =>
      getComputedStyle(document.documentElement).getPropertyValue('--accent'),
    );
  }
  return { width, name: await page.locator('header .name').textContent(), accents };
}

export function brandingSuite(shared: () => PayerWorld): void {
  describe('A merchant with a logo and a colour', () => {
    beforeAll(async () => {
      world = shared();
      owner = await signedIn(world.service.query, world.service.seed.organizationId, 'owner');
      const form = new FormData();
      form.append('logo', new Blob([SAMPLE_LOGOS.lossy]));
      await post(`/app/accounts/${world.service.seed.accountId}/branding`, form);
      await post(
        '/app/branding',
        new URLSearchParams({ own_colour: 'on', colour: COLOUR, support: 'help@shop.example' }),
      );
    });
    afterEach(() => world.leave());
    afterAll(async () => {
      await post(
        `/app/accounts/${world.service.seed.accountId}/branding`,
        new URLSearchParams({ remove_logo: 'on' }),
      );
      await post('/app/branding', new URLSearchParams());
    });

    it('shows them on the pages of payers, in readable colours', async () => {
      const { light, dark } = accentsOf(COLOUR);
      const look = {
        width: 12,
        name: expect.stringMatching(/\w/),
        accents: { light: light.colour, dark: dark.colour },
      };
      const body = { amount: '12.50', coin_code: 'USD' };
      const link = await world.service.api.post<PaymentLinkDto>(
        `/v1/pos/${world.service.seed.posId}/payment-link`,
        body,
      );
      const page = await world.blank();
      await page.goto(link.url);
      await sees(page, 'Choose what to pay with');
      expect(await lookOf(page)).toEqual(look);
      const found = await pageFaults(page);

      await page.getByRole('button', { name: /USDC/ }).click();
      await world.poll(page);
      expect(await lookOf(page)).toEqual(look);
      expect(await page.getByRole('link', { name: 'Contact' }).getAttribute('href')).toBe(
        'mailto:help@shop.example',
      );
      found.push(...(await pageFaults(page)));

      expect(found).toEqual([]);
    });
  });
}
