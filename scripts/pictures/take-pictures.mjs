// Takes pictures of the pages of a running sandbox (`npm start`, then `npm run demo`, then `npm run pictures`): two for the
// README, and contact sheets of the main pages on a phone and a desktop, in light and dark, for docs/. With `-- FOLDER`, each
// page is also kept whole in that folder.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startBrowser } from '../../test/support/browser.ts';
import { createCheckout, FOLDER, sandbox, saveSheet, signIn } from './sandbox-pages.mjs';

const SIZES = { phone: { width: 390, height: 780 }, desktop: { width: 1440, height: 900 } };
const THUMBNAIL_WIDTH = { phone: 160, desktop: 400 };

const [keptFolder] = process.argv.slice(2);
if (keptFolder !== undefined) mkdirSync(keptFolder, { recursive: true });

const SAVED_FILTER = '/app/payments?reference=order-';

/** Paths of the dashboard, by the name under the picture. */
const DASHBOARD = {
  overview: '/app',
  payments: '/app/payments',
  'saved filter': SAVED_FILTER,
  payment: ['/app/payments', 'main tbody a'],
  refunds: '/app/refunds',
  'new refund': '/app/refunds/new',
  transactions: '/app/transactions',
  settlements: '/app/settlements',
  statements: '/app/statements',
  periods: '/app/periods',
  'payment links': '/app/links',
  'new payment link': '/app/links/new',
  subscriptions: '/app/subscriptions',
  subscription: ['/app/subscriptions', 'main tbody a'],
  'points of sale': '/app/points-of-sale',
  'new point of sale': '/app/points-of-sale/new',
  till: '/app/till',
  webhooks: '/app/webhooks',
  webhook: ['/app/webhooks', 'main tbody a'],
  'new webhook': '/app/webhooks/new',
  'API keys': '/app/api-keys',
  'new API key': '/app/api-keys/new',
  accounts: '/app/accounts',
  account: ['/app/accounts', 'main tbody a'],
  branding: '/app/branding',
  team: '/app/team',
  notifications: '/app/notices',
  'audit log': '/app/audit-log',
};

const browser = await startBrowser();
try {
  const checkout = await openCheckout();
  const payer = {
    checkout,
    'payment link': sandbox.payment_link_url,
    subscription: sandbox.subscription_url,
    'unknown page': `${sandbox.api_url}/checkout/unknown`,
    'sign in': sandbox.dashboard_url,
  };
  const state = await signIn(browser);
  await saveFilter(state);
  for (const scheme of ['light', 'dark']) {
    await takeSheet('payer', payer, scheme, undefined);
    await takeSheet('dashboard', DASHBOARD, scheme, state);
  }
} finally {
  await browser.close();
}

/** Takes all pages in both sizes and shows them on one sheet. */
async function takeSheet(name, pages, colorScheme, storageState) {
  const rows = [];
  for (const [device, viewport] of Object.entries(SIZES)) {
    const context = await browser.newContext({ viewport, colorScheme, storageState });
    const page = await context.newPage();
    const pictures = [];
    for (const [title, place] of Object.entries(pages)) {
      if (!(await open(page, place))) continue;
      const file = `${name} ${title} ${device} ${colorScheme}.png`.replaceAll(' ', '-');
      if (keptFolder !== undefined) await page.screenshot({ path: join(keptFolder, file), fullPage: true });
      if (name === 'payer' && title === 'checkout' && device === 'phone' && colorScheme === 'light')
        await page.screenshot({ path: join(FOLDER, 'checkout.png') });
      if (title === 'payments' && device === 'desktop' && colorScheme === 'light')
        await page.screenshot({ path: join(FOLDER, 'dashboard.png') });
      pictures.push({ title, data: (await page.screenshot()).toString('base64') });
    }
    await context.close();
    rows.push(pictures.map((picture) => ({ ...picture, width: THUMBNAIL_WIDTH[device] })));
  }
  await saveSheet(browser, join(FOLDER, `${name}-${colorScheme}.jpg`), rows);
}

/** @returns false if there is nothing to follow: the list is empty */
async function open(page, place) {
  const [path, selector] = [place].flat();
  await page.goto(new URL(path, sandbox.dashboard_url).href);
  if (selector === undefined) return true;
  const link = page.locator(selector).first();
  if ((await link.count()) === 0) return false;
  await page.goto(new URL(await link.getAttribute('href'), page.url()).href);
  return true;
}

/** Saves a filter of the payments, unless an earlier run did. The pictures show it. */
async function saveFilter(storageState) {
  const context = await browser.newContext({ storageState });
  const page = await context.newPage();
  await page.goto(new URL(SAVED_FILTER, sandbox.dashboard_url).href);
  const save = page.getByText('Save filter');
  if ((await save.count()) > 0) {
    await save.click();
    await page.getByLabel('Name').fill('Shop orders');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('link', { name: 'Shop orders' }).waitFor();
  }
  await context.close();
}

/** @returns the URL of a hosted page that nobody has paid */
async function openCheckout() {
  const { hosted_checkout_url } = await createCheckout('order-1042');
  const page = await browser.newPage();
  await page.goto(hosted_checkout_url);
  await page.getByRole('button', { name: /USDC/ }).first().click();
  await page.close();
  return hosted_checkout_url;
}
