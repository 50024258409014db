import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { OperatorCommandRunner } from '#app/operator/operator-command-runner.js';
import { pageFaults } from '#test/support/page-faults.js';
import type { TestService } from '#test/support/service.js';

const PASSWORD = 'kettle harbour lantern seven';
const STEP_MS = 90_000;
const LIMIT_MS = 400_000;

let service: TestService;
let browser: Browser;
let operator: OperatorCommandRunner;
/** Browsers take passkeys at a name, not at a bare address. */
let url: string;

/** A person with a browser of their own, who has opened the link of an invitation to a new organization. */
async function invited(name: string): Promise<{ page: Page; email: string }> {
  const { id } = await operator.run<{ id: string }>('organization', 'create', '--name', `${name} & Sons`);
  const email = `${name.toLowerCase()}@shop.example`;
  const invite = ['owner', 'invite', '--organization', id, '--email', email];
  const { link } = await operator.run<{ link: string }>(...invite);
  const context = await browser.newContext();
  context.setDefaultTimeout(STEP_MS);
  const page = await context.newPage();
  await page.goto(url + new URL(link).pathname);
  await page.getByLabel('Your name').fill(name);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: /Continue/ }).click();
  return { page, email };
}

async function signsIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

async function calls(apiKey: string, apiSecret: string): Promise<number> {
  const answer = await fetch(`${service.apiUrl}/v1/auth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ api_key: apiKey, api_secret: apiSecret }),
  });
  if (answer.status !== 200) return answer.status;
  const { data } = (await answer.json()) as { data: { token: string } };
  const headers = { authorization: `Bearer ${data.token}`, 'x-service-api-key': apiKey };
  return (await fetch(`${service.apiUrl}/v1/account`, { headers })).status;
}

/** Creates a key and ends it; at each step the API says whether it works. @param prove shows the second factor */
async function livesWithAKey(page: Page, prove: () => Promise<void>): Promise<void> {
  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByRole('link', { name: 'Create key' }).click();
  await page.getByLabel('Name').fill('Till');
  await page.getByLabel('read', { exact: true }).check();
  await prove();
  await page.getByRole('heading', { name: 'Key "Till" created' }).waitFor();
  const [key, secret] = await Promise.all(
    ['#key-id', '#key-secret'].map((at) => page.locator(at).innerText()),
  );
  expect(await calls(key!, secret!)).toBe(200);

  await page.getByRole('link', { name: 'I saved it' }).click();
  await page.getByRole('button', { name: 'Disable' }).click();
  await page.getByText('no longer work').waitFor();
  expect(await calls(key!, secret!)).toBe(401);

  await page.getByLabel(/type the key name/).fill('Till');
  await page.getByRole('button', { name: 'Delete key' }).click();
  await page.getByText('No API keys yet').waitFor();
  expect(await calls(key!, secret!)).toBe(401);
}

export function ownerSuite(shared: () => { readonly service: TestService; readonly browser: Browser }): void {
  describe('Owners', () => {
    beforeAll(() => {
      ({ service, browser } = shared());
      url = service.apiUrl.replace('127.0.0.1', 'localhost');
      operator = new OperatorCommandRunner({ environment: service.environment, actor: 'test' });
    });
    afterAll(() => operator.close());

    describe('An invited Owner', () => {
      it(
        'enrolls a passkey, creates and deletes an API key with it, and signs in again',
        async () => {
          const { page, email } = await invited('Ben');
          const devTools = await page.context().newCDPSession(page);
          await devTools.send('WebAuthn.enable');
          await devTools.send('WebAuthn.addVirtualAuthenticator', {
            options: {
              protocol: 'ctap2',
              transport: 'internal',
              hasUserVerification: true,
              isUserVerified: true,
            },
          });
          expect(await pageFaults(page)).toEqual([]);
          await page.getByText('Passkey', { exact: true }).click();
          await page.getByRole('button', { name: 'Set up passkey' }).click();
          await page.getByRole('link', { name: 'I saved them' }).click();
          const byPasskey = () => page.getByRole('button', { name: 'Use a passkey instead' }).click();

          await livesWithAKey(page, byPasskey);
          await page.getByRole('button', { name: 'Sign out', exact: true }).click();
          await signsIn(page, email);
          await byPasskey();

          await page.getByRole('navigation', { name: 'Dashboard' }).waitFor();
          await page.context().close();
        },
        LIMIT_MS,
      );
    });
  });
}
