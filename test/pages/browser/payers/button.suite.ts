import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { CheckoutDto } from '#contexts/payments/infrastructure/requests/http/checkout.dto.js';
import { bookedFor } from '#test/support/booked.js';
import { ButtonShop } from './button-shop.js';
import { eventually } from '#test/support/eventually.js';
import { pageFaults } from '#test/support/page-faults.js';
import { PayerWorld, sees, standsAt, type Visit } from '#test/support/payer-world.js';

let world: PayerWorld;
let shop: ButtonShop;

/** All that reached the shop's page: messages of other windows, and the button's own events. */
interface Heard {
  messages: unknown[];
  events: [type: string, status: string | undefined, sessionId: string][];
  fulfilled: (boolean | undefined)[];
}

const heard = (page: Page) => page.evaluate(() => (window as unknown as { heard: Heard }).heard);
const isOpen = (page: Page) => page.locator('dialog[open]').isVisible();
const hasFocus = (page: Page) =>
  page.evaluate(() => document.activeElement?.localName === 'payment-collection-button');

async function lists(...origins: string[]): Promise<void> {
  await world.service.query(
    'UPDATE point_of_sale.points_of_sale SET frame_origins = $2, version = version + 1 WHERE id = $1',
    [world.service.seed.posId, origins],
  );
}

async function visit(address: string, options: Visit = {}): Promise<Page> {
  const page = await world.blank({ viewport: { width: 1000, height: 800 }, ...options });
  await page.addInitScript(() => {
    const all: Heard = { messages: [], events: [], fulfilled: [] };
    Object.assign(window, { heard: all });
    addEventListener('message', ({ data }) => all.messages.push(data));
    for (const type of ['payment-status', 'payment-close'])
      addEventListener(type, (event) => {
        const { status, fulfilled, sessionId } = (
          event as CustomEvent<{ status?: string; fulfilled?: boolean; sessionId: string }>
        ).detail;
        all.events.push([type, status, sessionId]);
        all.fulfilled.push(fulfilled);
      });
  });
  await page.goto(address);
  return page;
}

const press = (page: Page) => page.getByRole('button', { name: 'Pay now' }).click();

async function pressForTab(page: Page): Promise<Page> {
  const [tab] = await Promise.all([page.waitForEvent('popup'), press(page)]);
  return tab;
}

async function untilHeard(page: Page, checkout: CheckoutDto, ...statuses: string[]): Promise<void> {
  const wanted = statuses.map((status) => ['payment-status', status, checkout.session_id]);
  const { events } = await eventually(
    () => heard(page),
    ({ events }) => events.length >= wanted.length,
  );
  expect(events).toEqual(wanted);
}

function prepare(shared: () => PayerWorld): void {
  beforeAll(async () => {
    world = shared();
    shop = await ButtonShop.listen(world.service.apiUrl);
    world.allow(shop.origin);
    world.allow(shop.foreignOrigin);
    await lists(shop.origin, 'https://shop.example');
  });

  afterEach(() => world.leave());

  afterAll(async () => {
    await lists();
    await shop?.close();
  });
}

export function buttonSuite(shared: () => PayerWorld): void {
  describe('The button on a shop’s page', () => {
    prepare(shared);

    it('opens a dialog, reports each status of the payment, and returns to the page of the shop', async () => {
      const byHand = await world.chosenCheckout();
      await world.pay(byHand, '12.5');
      const checkout = await world.checkout();
      const page = await visit(shop.address(checkout.session_id));
      const faults = await pageFaults(page);
      await press(page);
      const frame = page.frameLocator('iframe');
      await untilHeard(page, checkout, 'pending');
      faults.push(...(await pageFaults(page)));
      await frame.getByRole('button', { name: /USDC/ }).click();
      await untilHeard(page, checkout, 'pending', 'created');
      await frame.getByRole('button', { name: 'Pay exactly' }).click();
      await world.becomes(checkout, 'processing');
      await world.poll(page);
      await untilHeard(page, checkout, 'pending', 'created', 'processing');
      await world.finalise();
      await world.becomes(checkout, 'completed');
      await world.poll(page);
      await untilHeard(page, checkout, 'pending', 'created', 'processing', 'completed');
      await frame.getByRole('link', { name: /Back to/ }).click();
      await sees(page, 'completed, closed');

      expect([await isOpen(page), await hasFocus(page), page.url()]).toEqual([
        false,
        true,
        shop.address(checkout.session_id),
      ]);
      expect((await heard(page)).events.at(-1)).toEqual(['payment-close', 'completed', checkout.session_id]);
      expect((await heard(page)).fulfilled).toEqual([false, false, false, true, true]);
      expect(faults).toEqual([]);
      expect(await page.context().storageState()).toEqual({ cookies: [], origins: [] });
      const booked = await bookedFor(world.service, checkout.id);
      expect(booked).toMatchObject([
        { type: 'payment_in', entries: expect.arrayContaining(['custody, 12500000']) },
      ]);
      expect(booked).toEqual(await bookedFor(world.service, byHand.id));
    });

    it('keeps the opener only for pages whose point of sale lists sites', async () => {
      const listed = (await world.checkout()).hosted_checkout_url;
      await lists();
      const other = (await world.checkout()).hosted_checkout_url;
      await lists(shop.origin);
      const choice = `unique_asset_id=${world.asset('USDC').unique_asset_id}`;
      const post = (body: string) => ({ method: 'POST', body: new URLSearchParams(body) });
      const openers = async (url: string) => {
        const asked = [{}, post(choice), post('unique_asset_id=x')];
        const answers = asked.map((each) => fetch(url, { redirect: 'manual', ...each }));
        return (await Promise.all(answers)).map(({ headers }) => headers.get('cross-origin-opener-policy'));
      };
      await fetch(listed);

      expect(await openers(listed)).toEqual(['unsafe-none', 'unsafe-none', 'unsafe-none']);
      expect(await openers(other)).toEqual(['same-origin', 'same-origin', 'same-origin']);
    });
  });
}

export function buttonCases(shared: () => PayerWorld): void {
  describe('The button on a shop’s page', () => {
    prepare(shared);

    it('closes by the keyboard, in the dialog and in its page', async () => {
      const page = await visit(shop.address((await world.checkout()).session_id));
      for (const inFrame of [false, true]) {
        await page.locator('payment-collection-button').focus();
        await page.keyboard.press('Enter');
        await page.frameLocator('iframe').locator('#status').waitFor();
        if (inFrame) await page.frameLocator('iframe').locator('button').first().focus();
        await page.keyboard.press('Escape');
        await page.locator('dialog').waitFor({ state: 'detached' });

        expect(await hasFocus(page)).toBe(true);
      }
      expect((await heard(page)).events.filter(([type]) => type === 'payment-close')).toHaveLength(2);
    });

    it('opens a tab, reports its statuses, and continues when the tab closes', async () => {
      const checkout = await world.checkout();
      const page = await visit(shop.address(checkout.session_id, 'mode="tab" return="/thanks"'));
      const tab = await pressForTab(page);
      await tab.getByRole('button', { name: /USDC/ }).click();
      await untilHeard(page, checkout, 'pending', 'created');
      await world.pay(checkout, '12.5');
      await world.finalise();
      await world.becomes(checkout, 'completed');
      await tab.reload();
      await untilHeard(page, checkout, 'pending', 'created', 'completed');
      await Promise.all([tab.waitForEvent('close'), tab.getByRole('link', { name: /Back to/ }).click()]);
      await page.waitForURL(`${shop.origin}/thanks?session_id=${checkout.session_id}&status=completed`);
    });

    it('notices that the payer has closed the tab', async () => {
      const checkout = await world.checkout();
      const page = await visit(shop.address(checkout.session_id, 'mode="tab"'));
      const tab = await pressForTab(page);
      await untilHeard(page, checkout, 'pending');
      await tab.close();

      await sees(page, 'pending, closed');
    });

    describe('A site that the point of sale does not list', () => {
      it('opens a tab if the frame is rejected, and posts no messages', async () => {
        const checkout = await world.chosenCheckout();
        const page = await visit(shop.address(checkout.session_id, '', shop.foreignOrigin));
        const tab = await pressForTab(page);
        await standsAt(tab, 'Waiting for your payment');

        expect([await isOpen(page), await heard(page)]).toEqual([
          false,
          { messages: [], events: [], fulfilled: [] },
        ]);
        expect(world.takeComplaints()).toEqual([expect.stringContaining('frame-ancestors')]);
      });

      it('receives no messages, even as the opener under the name of a listed site', async () => {
        const checkout = await world.chosenCheckout();
        const page = await visit(shop.address(checkout.session_id, '', shop.foreignOrigin));
        const [tab] = await Promise.all([
          page.waitForEvent('popup'),
          page.evaluate(
            ([url, name]) => void window.open(url, name),
            [checkout.hosted_checkout_url, `payment-collection ${shop.origin}`],
          ),
        ]);
        await standsAt(tab, 'Waiting for your payment');

        expect(await tab.evaluate(() => window.opener !== null)).toBe(true);
        expect((await heard(page)).messages).toEqual([]);
      });

      it('opens the checkout in place if the browser blocks the tab', async () => {
        const checkout = await world.chosenCheckout();
        const page = await world.blank();
        await page.addInitScript(() => Object.assign(window, { open: () => null }));
        await page.goto(shop.address(checkout.session_id, 'mode="tab"', shop.foreignOrigin));
        await press(page);

        await page.waitForURL(checkout.hosted_checkout_url);
        await standsAt(page, 'Waiting for your payment');
      });
    });

    it('ignores messages of other pages of the service', async () => {
      const checkout = await world.checkout();
      const page = await visit(shop.address(checkout.session_id));
      await press(page);
      await untilHeard(page, checkout, 'pending');
      const other = (await world.checkout()).hosted_checkout_url;
      const [forger] = await Promise.all([
        page.waitForEvent('popup'),
        page.evaluate((url) => void window.open(url, 'forger'), other),
      ]);
      await standsAt(forger, 'Choose what to pay with');
      const forged = { type: 'payment-collection', session_id: checkout.session_id, status: 'completed' };
      await forger.evaluate((message) => {
        const opener = window.opener as Window;
        for (const event of ['status', 'close']) opener.postMessage({ ...message, event }, '*');
      }, forged);
      await eventually(
        () => heard(page),
        ({ messages }) => messages.some((message) => (message as { event: string }).event === 'close'),
      );

      await untilHeard(page, checkout, 'pending');
      expect(await isOpen(page)).toBe(true);
    });
  });
}
