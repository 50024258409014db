// What the scripts that take pictures need of a running sandbox (`npm start`).
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, runtime } from '../runtime.mjs';

export const FOLDER = join(ROOT, 'docs', 'pictures');
export const sandbox = JSON.parse(readFileSync(join(ROOT, '.sandbox', 'sandbox.json'), 'utf8'));

/** Creates a payment request of 12.50 USD that the payer can pay in any asset of the sandbox. */
export async function createCheckout(reference) {
  const { data } = await post('/v1/auth/token', {
    api_key: sandbox.api_key,
    api_secret: sandbox.api_secret,
  });
  const order = { amount: '12.50', coin_code: 'USD', reference_id: reference };
  const headers = { authorization: `Bearer ${data.token}`, 'x-service-api-key': sandbox.api_key };
  const created = await post(`/v1/pos/${sandbox.pos_id}/payment-request-checkout`, order, headers);
  return created.data;
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

/** @returns the cookies of the dashboard's owner */
export async function signIn(browser) {
  const context = await browser.newContext();
  const page = await context.newPage();
  const { email, password } = sandbox.dashboard_owner;
  await page.goto(sandbox.dashboard_url);
  await page.fill('[name=email]', email);
  await page.fill('[name=password]', password);
  await page.keyboard.press('Enter');
  await page.fill('[name=code]', oneTimeCode());
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Payments' }).first().waitFor();
  const state = await context.storageState();
  await context.close();
  return state;
}

function oneTimeCode() {
  const operator = [join(ROOT, 'scripts', 'run.mjs'), 'dist/cli.js', 'totp'];
  const output = execFileSync(runtime(), operator, { cwd: ROOT, encoding: 'utf8' });
  return /\b\d{6}\b/.exec(output)[0];
}

/** Shows pictures `{title, data, width}` with their titles, a row each, on one sheet. */
export async function saveSheet(browser, path, rows) {
  const figures = ({ title, data, width }) =>
    `<figure><img width="${width}" src="data:image/png;base64,${data}"><figcaption>${title}</figcaption></figure>`;
  const page = await browser.newPage({ viewport: { width: 1720, height: 800 } });
  await page.setContent(
    `<style>body{margin:16px;font:14px sans-serif;background:#888}div{display:flex;flex-wrap:wrap;gap:12px;margin-bottom:12px}figure{margin:0}</style>${rows
      .map((row) => `<div>${row.map(figures).join('')}</div>`)
      .join('')}`,
  );
  await page.screenshot({ path, fullPage: true, type: 'jpeg', quality: 70 });
  await page.close();
}
