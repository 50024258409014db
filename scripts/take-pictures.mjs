// Takes the README's pictures of a running sandbox (`npm start`, then `npm run demo`, then `npm run pictures`).
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startBrowser } from '../test/support/browser.ts';
import { ROOT, runtime } from './runtime.mjs';

const FOLDER = join(ROOT, 'docs', 'pictures');
const PHONE = { width: 390, height: 780 };
const DESKTOP = { width: 1200, height: 720 };

const sandbox = JSON.parse(readFileSync(join(ROOT, '.sandbox', 'sandbox.json'), 'utf8'));

async function takeCheckout(browser) {
  const page = await browser.newPage({ viewport: PHONE, deviceScaleFactor: 1.5 });
  await page.goto(await openCheckout());
  await page.getByRole('button', { name: /USDC/ }).first().click();
  await page.screenshot({ path: join(FOLDER, 'checkout.png') });
}

/** @returns the URL of a hosted page that nobody has paid */
async function openCheckout() {
  const { data } = await post('/v1/auth/token', {
    api_key: sandbox.api_key,
    api_secret: sandbox.api_secret,
  });
  const order = { amount: '12.50', coin_code: 'USD', reference_id: 'order-1042' };
  const headers = { authorization: `Bearer ${data.token}`, 'x-service-api-key': sandbox.api_key };
  const checkout = await post(`/v1/pos/${sandbox.pos_id}/payment-request-checkout`, order, headers);
  return checkout.data.hosted_checkout_url;
}

async function post(path, body, headers = {}) {
  const answer = await fetch(sandbox.api_url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  return answer.json();
}

async function takeDashboard(browser) {
  const page = await browser.newPage({ viewport: DESKTOP, deviceScaleFactor: 1 });
  const { email, password } = sandbox.dashboard_owner;
  await page.goto(sandbox.dashboard_url);
  await page.fill('[name=email]', email);
  await page.fill('[name=password]', password);
  await page.keyboard.press('Enter');
  await page.fill('[name=code]', oneTimeCode());
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Payments' }).first().click();
  await page.getByRole('heading', { name: 'Payments' }).waitFor();
  await page.screenshot({ path: join(FOLDER, 'dashboard.png') });
}

function oneTimeCode() {
  const operator = [join(ROOT, 'scripts', 'run.mjs'), 'dist/cli.js', 'totp'];
  const output = execFileSync(runtime(), operator, { cwd: ROOT, encoding: 'utf8' });
  return /\b\d{6}\b/.exec(output)[0];
}

const browser = await startBrowser();
try {
  await takeCheckout(browser);
  await takeDashboard(browser);
} finally {
  await browser.close();
}
