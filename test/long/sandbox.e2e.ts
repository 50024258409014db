import { existsSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { PageBody } from '#shared/platform/http/answers/pagination.dto.js';
import type { AnswerOf } from '#test/support/api-client.js';
import { runDemoScenario } from '#sandbox/demonstration/demo-scenario.js';
import type { StepReporter } from '#sandbox/demonstration/story.js';
import { blockHead } from '#sandbox/chain/chain-rpc.js';
import { waitUntil } from '#sandbox/processes/child-process.js';
import { eventually } from '#test/support/eventually.js';
import { allGone, untilPrinted } from '#test/support/sandbox-programs.js';
import { sendExamples } from './sandbox/send-examples.js';
import { SandboxWorld } from '#test/support/sandbox-world.js';
import { ownDatabase } from './sandbox/own-database.suite.js';
import { paying } from './sandbox/paying.suite.js';
import { DashboardPerson } from '#test/support/dashboard-person.js';

const DAY_SECONDS = 86_400;

/** The time of the newest block, less real time. */
async function secondsAhead(chain: string): Promise<number> {
  return Number((await blockHead(chain)).timestamp) - Date.now() / 1_000;
}

let world: SandboxWorld;

beforeAll(async () => {
  world = await SandboxWorld.make();
});

afterAll(() => world.remove());

describe('The sandbox on a new folder', () => {
  afterAll(() => world.stop());

  it('starts for a demonstration after a first start that was killed, and stops after it', async () => {
    const killed = world.run('sandbox.js');
    await waitUntil(() => existsSync(join(world.directory, 'service.env')), { timeoutMs: 60_000 });
    await new Promise((resolve) => setTimeout(resolve, 800));
    killed.process.kill('SIGKILL');
    await killed.ended;

    const demo = world.run('demo.js');
    const status = await demo.ended;

    expect(demo.stdout() + demo.stderr()).toContain('All steps hold');
    expect(status).toBe(0);
    expect(demo.stdout().match(/^ {2}ok {2}/gm)).toHaveLength(13);
    expect(demo.stdout()).toMatch(/its secret shown once/);
    const pay = world.run('pay.js', ['anything']);
    expect(await pay.ended).toBe(1);
    expect(pay.stderr()).toBe('No sandbox is running. Start one with npm start.\n');
  });

  it('prints its URLs and secrets on one screen, and stores them for its owner only', async () => {
    const lines = (await world.start()).stdout().trimEnd().split('\n');

    expect(lines.length).toBeLessThanOrEqual(24);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(100 + world.directory.length);
    const file = world.file();
    const asset = file.networks[0]!.assets[0]!.unique_asset_id;
    for (const value of [file.docs_url, file.api_secret, file.pos_id, asset, 'npm run listen'])
      expect(lines.join('\n')).toContain(value);
    for (const url of [file.checkout_url!, file.payment_link_url!, file.subscription_url!]) {
      expect(lines.join('\n')).toContain(url);
      expect((await fetch(url)).status).toBe(200);
    }
    for (const name of ['sandbox.json', 'service.env'])
      expect(statSync(join(world.directory, name)).mode & 0o077).toBe(0);
    const page = await world.client().get<PageBody<object>>('/v1/pos?page=1&page_size=5');
    expect(page.total).toBe(2);
  });

  it('accepts the example bodies of /docs unchanged', async () => {
    const { answered, refused } = await sendExamples(world.file().api_url);

    expect(refused).toEqual([]);
    expect(answered).toEqual(expect.arrayContaining(['createCheckout', 'selectAssetForPaymentLink']));
    expect(await world.webhooks()).toEqual([]);
  });

  it('refuses a second sandbox and a reset while it runs', async () => {
    const second = world.run('sandbox.js');
    const reset = world.run('reset.js');

    expect(await Promise.all([second.ended, reset.ended])).toEqual([1, 1]);
    expect(second.stderr()).toMatch(/A sandbox is running on .* already \(process \d+, http/);
    expect(reset.stderr()).toMatch(/Stop it with Ctrl-C in its terminal, then reset/);
    expect(world.parts()).toHaveLength(4);
  });

  it('moves its clock and the clock of its chain by command, so that requests expire', async () => {
    const { pos_id, networks } = world.file();
    const [network] = networks;
    const client = world.client();
    const path = `/v1/pos/${pos_id}/payment-request`;
    const order = { amount: '5', unique_asset_id: network!.assets[0]!.unique_asset_id };
    const opened = await client.post<AnswerOf<'createPaymentRequest'>>(path, order);

    const advance = world.run('cli.js', ['clock', 'advance', '31d', '--yes', '--json']);

    expect([await advance.ended, advance.stderr()]).toEqual([0, '']);
    expect(JSON.parse(advance.stdout())).toMatchObject({ ahead_seconds: 31 * DAY_SECONDS, is_read: true });
    await client.post(path, order);
    const read = () => client.get<AnswerOf<'readPaymentRequest'>>(`${path}/${opened.id}`);
    expect(await waitUntil(async () => (await read()).status === 'expired', { timeoutMs: 60_000 })).toBe(
      true,
    );
    expect(await secondsAhead(network!.rpc_url)).toBeGreaterThan(31 * DAY_SECONDS - 60);
  });

  paying(() => world);

  it('restarts each part that is killed, and then completes the demonstration of a subscription', async () => {
    const before = world.parts();
    for (const pid of before) process.kill(pid, 'SIGKILL');
    const isBack = () => world.parts().filter((pid) => !before.includes(pid)).length === 4;
    expect(await waitUntil(isBack, { timeoutMs: 90_000, everyMs: 100 })).toBe(true);
    for (const name of ['PostgreSQL', 'The chain', 'The API', 'The worker']) {
      await untilPrinted(world.running, `${name} is running again.`);
    }
    const demo = world.run('demo.js', ['subscription']);

    expect([await demo.ended, demo.stderr()]).toEqual([0, '']);
    expect(demo.stdout().match(/^ {2}ok {2}/gm)).toHaveLength(14);
    expect(world.running.stderr()).toMatch(/The API ended \(SIGKILL\)\. It is started again in 1 s\./);
  });

  it('removes the webhooks of a failed and of a killed demonstration', async () => {
    const seen: number[] = [];
    const failing: StepReporter = {
      async step(title, work) {
        if (title !== 'Create a payment request') return (await work())[1];
        seen.push((await world.webhooks()).length);
        throw new Error('The payment request failed.');
      },
    };

    await world.leaveWebhook('npm run demo');
    await expect(runDemoScenario(world.file(), failing)).rejects.toThrow('The payment request failed.');

    expect(seen).toEqual([1]);
    expect(await world.webhooks()).toEqual([]);
  });

  it('passes its settings to the operator commands, and to no other program', async () => {
    symlinkSync(world.directory, join(world.home, '.sandbox'));
    const main = world.run('main.js', [], { SANDBOX_DIRECTORY: world.directory });
    const verify = async () => {
      const { ended, stdout, stderr } = world.run('cli.js', ['verify', '--chain', '--all', '--json']);
      return { status: await ended, printed: stdout(), failure: stderr() };
    };
    // The clock was moved by weeks: the worker may still have to audit the chain.
    const { printed, failure } = await eventually(verify, ({ status }) => status === 0);

    expect([JSON.parse(printed), failure]).toMatchObject([
      {
        broken: [],
        audited: [{ network: 'sandbox', block: expect.any(Number), addresses: expect.any(Number) }],
      },
      '',
    ]);
    expect(await main.ended).toBe(1);
    expect(main.stderr()).toMatch(/The api could not start\. The settings are not complete:/);
    expect(main.stderr()).toMatch(/DATABASE_URL is missing/);
  });

  it('lets its demonstration Owner sign in with the code of the operator command', async () => {
    const { api_url, dashboard_owner } = world.file();
    const totp = world.run('cli.js', ['totp', '--json']);
    expect([await totp.ended, totp.stderr()]).toEqual([0, '']);
    const { code } = JSON.parse(totp.stdout()) as { code: string };
    const person = new DashboardPerson(api_url);

    await person.post('/app/sign-in', { ...dashboard_owner! });
    await person.post('/app/second-factor', { code });

    expect(await person.text('/app/team')).toContain(dashboard_owner!.email);
  });

  it('stops all parts on SIGTERM', async () => {
    const parts = world.parts();

    world.running.process.kill('SIGTERM');

    expect(await world.running.ended).toBe(0);
    expect(parts).toHaveLength(4);
    expect(await allGone(parts, 60_000)).toBe(true);
  });
});

describe('The sandbox on an existing folder', () => {
  afterEach(() => world.stop());

  it('resumes with its data and clock, and leaves no process after a SIGKILL', async () => {
    const before = world.file();
    await world.start();
    const transactions = await world
      .client(before)
      .get<PageBody<object>>('/v1/transactions?page=1&page_size=5');
    const parts = world.parts();
    const ahead = await secondsAhead(before.networks[0]!.rpc_url);

    world.running.process.kill('SIGKILL');

    const { checkout_url, ...kept } = world.file();
    expect(before).toMatchObject(kept);
    expect(checkout_url).not.toBe(before.checkout_url);
    expect(transactions.total).toBeGreaterThan(0);
    expect(ahead).toBeGreaterThan(31 * DAY_SECONDS - 60);
    expect(world.running.stdout()).toMatch(/Clock +moved ahead, \d{4}-\d\d-\d\dT/);
    expect(parts).toHaveLength(4);
    expect(await allGone(parts, 60_000)).toBe(true);
  });

  it('creates a new credential for the same shop if the old one was lost', async () => {
    const before = world.file();
    rmSync(join(world.directory, 'sandbox.json'));

    await world.start();

    const { api_key, api_secret, ...rest } = world.file();
    expect(rest).toMatchObject({ organization_id: before.organization_id, pos_id: before.pos_id });
    expect(api_key).not.toBe(before.api_key);
    expect(api_secret).not.toBe(before.api_secret);
    await expect(world.client(before).authenticate()).rejects.toMatchObject({ code: 'credentials_invalid' });
    await world.client().authenticate();
  });

  it('refuses another chain than that of its database, and names the reset', async () => {
    rmSync(join(world.directory, 'chain.json.gz'));

    const refused = world.run('sandbox.js');

    expect(await refused.ended).toBe(1);
    expect(refused.stderr()).toMatch(/the database belongs to chain 31337 with genesis .* `npm run reset`/);
    expect(refused.stderr()).not.toMatch(/\n {4}at /);
  });

  it('is removed by a reset', async () => {
    expect(await world.run('reset.js').ended).toBe(0);
    expect(existsSync(world.directory)).toBe(false);
  });
});

ownDatabase();
