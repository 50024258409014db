// Takes pictures of what payer and merchant see when a payment goes wrong, for docs/guides/payment-problems.md. Needs a
// running sandbox with a short window: `PAYMENT_WINDOW_SECONDS=60 npm start`, then `npm run pictures:problems`, about three
// minutes. With `-- FOLDER`, each picture is also kept whole in that folder.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startBrowser } from '../../test/support/browser.ts';
import { createCheckout, FOLDER, sandbox, saveSheet, signIn } from './sandbox-pages.mjs';

/** Time after the end of the window until which a transfer counts, and then some blocks. */
const GRACE_SECONDS = 60 + 15;
const POLLS_MS = 8_000;
const [USDC, USDT] = sandbox.networks[0].assets;

/** How the payer pays 12.50 USDC (12,500,000 smallest units), and whether the pictures show the end of the window. */
const PROBLEMS = {
  'paid in part': { pay: [{ amount: 5_000_000 }], isEnded: false },
  underpaid: { pay: [{ amount: 5_000_000 }], isEnded: true },
  'underpaid, accepted': { pay: [{ amount: 12_000_000 }], isEnded: true, act: /^Accept/ },
  overpaid: { pay: [{ amount: 15_000_000 }], isEnded: true },
  'paid twice': { pay: [{ amount: 12_500_000 }, { amount: 12_500_000 }], isEnded: true },
  'too late': { pay: [{ amount: 12_500_000, isLate: true }], isEnded: true },
  'another asset': { pay: [{ amount: 12_500_000, asset: USDT }], isEnded: false },
  'another asset, ended': { pay: [{ amount: 12_500_000, asset: USDT }], isEnded: true },
  'too little to count': { pay: [{ amount: 1 }], isEnded: true },
  'nothing paid': { pay: [], isEnded: true },
};

const [keptFolder] = process.argv.slice(2);
if (keptFolder !== undefined) mkdirSync(keptFolder, { recursive: true });

const browser = await startBrowser();
try {
  const payer = await browser.newContext({ viewport: { width: 390, height: 780 } });
  const merchant = await browser.newContext({
    viewport: { width: 1280, height: 780 },
    storageState: await signIn(browser),
  });
  const rows = [];
  const checkouts = [];
  for (const [title, problem] of Object.entries(PROBLEMS)) checkouts.push(await begin(payer, title, problem));
  await pause(POLLS_MS);
  for (const checkout of checkouts.filter(({ isEnded }) => !isEnded))
    rows.push(await take(checkout, merchant));
  const last = Math.max(...checkouts.map(({ expires_at }) => Date.parse(expires_at)));
  await pause(Math.max(0, last + GRACE_SECONDS * 1_000 - Date.now()));
  for (const checkout of checkouts.filter(({ isEnded }) => isEnded))
    rows.push(await take(checkout, merchant));
  await saveSheet(browser, join(FOLDER, 'payment-problems.jpg'), rows);
} finally {
  await browser.close();
}

/** Opens a checkout, selects USDC and pays as the problem says. */
async function begin(payer, title, problem) {
  const checkout = await createCheckout(`order-${title.replaceAll(/\W+/g, '-')}`);
  const page = await payer.newPage();
  await page.goto(checkout.hosted_checkout_url);
  await page.getByRole('button', { name: /USDC/ }).first().click();
  await page.waitForLoadState();
  const read = await fetch(`${sandbox.api_url}/public/checkout/${checkout.session_id}`);
  const { selected } = (await read.json()).data;
  for (const { amount, asset = USDC, isLate = false } of problem.pay) {
    const notBefore = new Date(Date.parse(checkout.expires_at) + 62_000).toISOString();
    const body = {
      unique_asset_id: asset.unique_asset_id,
      address: selected.address,
      amount: String(amount),
    };
    await pay({ ...body, ...(isLate && { not_before: notBefore }) });
  }
  return { ...checkout, ...problem, title, page };
}

async function pay(payment) {
  const answer = await fetch(`${sandbox.wallet_url}/payments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(payment),
  });
  if (!answer.ok) throw new Error(`The sandbox wallet: ${await answer.text()}`);
}

/** Pictures of the payer's page and of the payment in the dashboard, after the merchant's act if there is one. */
async function take({ title, page, id, act, hosted_checkout_url }, merchant) {
  const dashboard = await merchant.newPage();
  await dashboard.goto(new URL(`/app/payments/${id}`, sandbox.dashboard_url).href);
  if (act !== undefined) {
    await dashboard.getByRole('button', { name: act }).click();
    await dashboard.waitForLoadState();
  }
  await page.goto(hosted_checkout_url);
  const pictures = [
    { title: `${title}: the payer`, shown: page, width: 200 },
    { title: `${title}: the merchant`, shown: dashboard, width: 640 },
  ];
  const row = [];
  for (const { shown, ...picture } of pictures) {
    const file = `${picture.title.replaceAll(/\W+/g, '-')}.png`;
    if (keptFolder !== undefined) await shown.screenshot({ path: join(keptFolder, file), fullPage: true });
    row.push({ ...picture, data: (await shown.screenshot()).toString('base64') });
    await shown.close();
  }
  return row;
}
