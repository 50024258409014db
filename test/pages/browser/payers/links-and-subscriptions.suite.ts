import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { PaymentLinkDto } from '#contexts/payments/infrastructure/links/http/payment-link.dto.js';
import { eventually } from '#test/support/eventually.js';
import { offerSubscription } from './offered-subscription.js';
import { pageFaults } from '#test/support/page-faults.js';
import { PayerWorld, sees, standsAt } from '#test/support/payer-world.js';

let world: PayerWorld;
let link: PaymentLinkDto;

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

async function livesThrough(javaScriptEnabled: boolean): Promise<void> {
  const subscription = await offerSubscription(world.service);
  const page = await world.blank({ javaScriptEnabled });
  const faults = () => (javaScriptEnabled ? pageFaults(page) : Promise.resolve([]));
  await page.goto(subscription.url);
  await standsAt(page, 'Not accepted yet');

  await subscription.accept();
  const pay = page.getByRole('button', { name: /^Pay 5\.00.USDC now$/ });
  await eventually(
    async () => {
      await page.goto(subscription.url);
      return pay.count();
    },
    (buttons) => buttons > 0,
  );
  await standsAt(page, 'A charge is due');
  const found = await faults();
  await pay.click();
  await standsAt(page, 'Waiting for your payment');
  expect(new URL(page.url()).pathname).toMatch(/^\/checkout\//);
  expect(await subscription.requests()).toHaveLength(1);

  await page.goto(subscription.url);
  await page.getByRole('link', { name: 'Cancel subscription' }).click();
  await sees(page, 'This cannot be undone.');
  expect(await subscription.status()).toBe('active');
  await page.getByRole('button', { name: 'Yes, cancel it' }).click();
  await standsAt(page, 'Cancelled');
  found.push(...(await faults()));

  expect(await subscription.status()).toBe('revoked');
  expect(await page.getByRole('button').count()).toBe(0);
  expect(found).toEqual([]);

  const late = await fetch(`${subscription.url}/pay`, { method: 'POST', redirect: 'manual' });
  expect([late.status, late.headers.get('location')]).toEqual([303, new URL(subscription.url).pathname]);
  expect(await subscription.requests()).toHaveLength(1);
}

function prepare(shared: () => PayerWorld): void {
  beforeAll(async () => {
    world = shared();
  });

  afterEach(() => world.leave());
}

export function linksAndSubscriptionsSuite(shared: () => PayerWorld): void {
  describe('Links and subscriptions', () => {
    prepare(shared);

    describe('A payer with a payment link', () => {
      beforeEach(async () => {
        const body = { amount: '12.50', coin_code: 'USD' };
        link = await world.service.api.post(`/v1/pos/${world.service.seed.posId}/payment-link`, body);
      });

      it('creates one payment request, however often the link and the page are opened', async () => {
        const page = await world.blank();
        await page.goto(link.url);
        await sees(page, 'The time to pay starts when you choose.');
        expect(await requests()).toHaveLength(0);

        await page.getByRole('button', { name: /USDC/ }).click();
        await standsAt(page, 'Waiting for your payment');
        await page.reload();
        await world.poll(page);
        const tab = await page.context().newPage();
        await tab.goto(link.url);
        await standsAt(tab, 'Waiting for your payment');

        expect(new URL(tab.url()).pathname).toBe(new URL(page.url()).pathname);
        expect(await requests()).toHaveLength(1);
      });
    });

    describe('A payer with the page of a subscription', () => {
      it('sees the offer and the payment that is due, pays and cancels', () => livesThrough(true));
    });
  });
}

export function linksAndSubscriptionsCases(shared: () => PayerWorld): void {
  describe('Links and subscriptions', () => {
    prepare(shared);

    describe('A payer with a payment link', () => {
      beforeEach(async () => {
        const body = { amount: '12.50', coin_code: 'USD' };
        link = await world.service.api.post(`/v1/pos/${world.service.seed.posId}/payment-link`, body);
      });

      it('creates another request only by paying again', async () => {
        const page = await world.blank();
        await page.goto(link.url);
        await page.getByRole('button', { name: /USDC/ }).click();
        await page.getByRole('button', { name: 'Pay exactly' }).click();
        const [first] = await requests();
        await completed(first!);
        await page.goto(link.url);
        await standsAt(page, 'Payment complete');
        expect(await requests()).toEqual([first]);

        await page.getByRole('button', { name: 'Pay again' }).click();
        await standsAt(page, 'Choose what to pay with');

        expect(await requests()).toHaveLength(2);
      });

      it('shares no request with another payer', async () => {
        for (const page of [await world.blank(), await world.blank()]) {
          await page.goto(link.url);
          await page.getByRole('button', { name: /USDC/ }).click();
          await standsAt(page, 'Waiting for your payment');
        }

        expect(new Set(await requests()).size).toBe(2);
      });
    });

    describe('A payer with the page of a subscription', () => {
      it('sees the offer, pays and cancels without JavaScript', () => livesThrough(false));
    });
  });
}
