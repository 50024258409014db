import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { PaymentLinkDto } from '../../src/contexts/payments/infrastructure/links/http/payment-link.dto.js';
import { PayerWorld, sees, standsAt } from '../support/payer-world.js';

let world: PayerWorld;
let link: PaymentLinkDto;

beforeAll(async () => {
  world = await PayerWorld.start();
});

beforeEach(async () => {
  const body = { amount: '12.50', coin_code: 'USD' };
  link = await world.service.api.post(`/v1/pos/${world.service.seed.posId}/payment-link`, body);
});

afterEach(() => world.leave());

afterAll(() => world?.stop());

/** Ids of the payment requests that this link has led to, oldest first. */
async function requests(): Promise<string[]> {
  const text =
    'SELECT payment_request_id AS id FROM payments.checkouts WHERE payment_link_id = $1 ORDER BY created_at';
  return (await world.service.query<{ id: string }>(text, [link.id])).map(({ id }) => id);
}

async function completed(id: string): Promise<void> {
  const checkout = { id };
  await world.becomes(checkout, 'processing');
  await world.finalise();
  await world.becomes(checkout, 'completed');
}

describe('A payer who was sent a payment link', () => {
  it('makes one payment request, however often the link and the page are opened', async () => {
    const page = await world.blank();
    await page.goto(link.url);
    await sees(page, 'You can pay with');
    expect(await requests()).toHaveLength(0);

    await page.getByRole('button', { name: /Pay .*12\.50/ }).click();
    await standsAt(page, 'Choose what you pay with');
    const checkout = page.url();
    await page.reload();
    await world.poll(page);
    const tab = await page.context().newPage();
    await tab.goto(link.url);
    await standsAt(tab, 'Choose what you pay with');
    await page.getByRole('button', { name: /USDC/ }).click();
    await standsAt(page, 'Waiting for your payment');
    await world.poll(tab);
    await standsAt(tab, 'Waiting for your payment');

    expect(tab.url()).toBe(checkout);
    expect(await requests()).toHaveLength(1);
  });

  it('makes another one only by paying again', async () => {
    const page = await world.blank();
    await page.goto(link.url);
    await page.getByRole('button', { name: /Pay/ }).click();
    await page.getByRole('button', { name: /USDC/ }).click();
    await page.getByRole('button', { name: 'Pay exactly' }).click();
    const [first] = await requests();
    await completed(first!);
    await page.goto(link.url);
    await standsAt(page, 'Payment complete');
    expect(await requests()).toEqual([first]);

    await page.getByRole('button', { name: 'Pay again' }).click();
    await standsAt(page, 'Choose what you pay with');

    expect(await requests()).toHaveLength(2);
  });

  it('shares nothing with another payer', async () => {
    for (const page of [await world.blank(), await world.blank()]) {
      await page.goto(link.url);
      await page.getByRole('button', { name: /Pay/ }).click();
      await standsAt(page, 'Choose what you pay with');
    }

    expect(new Set(await requests()).size).toBe(2);
  });
});
