import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { PaymentRequestDto } from '../../src/contexts/payments/infrastructure/http/payment-request.dto.js';
import type { PageBody } from '../../src/shared/platform/http/paging.dto.js';
import { ApiClient } from '../../src/sandbox/api-client.js';
import { waitUntil } from '../../src/sandbox/child-process.js';
import { freePort } from '../../src/sandbox/free-port.js';
import type { SandboxFile } from '../../src/sandbox/sandbox-folder.js';
import { allGone, childrenOf, run, untilSaid, type Run } from '../support/sandbox-programs.js';

const PARTS = ['bin/postgres', 'bin/anvil', 'main.js', 'worker.js'];

let home: string;
let settings: Record<string, string>;
let directory: string;
let sandbox: Run | undefined;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'sandbox-e2e-'));
  directory = join(home, 'world');
  settings = {
    SANDBOX_DIRECTORY: directory,
    SANDBOX_POSTGRES_PORT: String(await freePort()),
    SANDBOX_CHAIN_PORT: String(await freePort()),
    HTTP_PORT: String(await freePort()),
  };
});

afterEach(async () => {
  if (expect.getState().currentTestName?.includes('stays')) return;
  sandbox?.process.kill('SIGTERM');
  await sandbox?.ended;
  sandbox = undefined;
});

afterAll(async () => {
  sandbox?.process.kill('SIGTERM');
  await sandbox?.ended;
  await run('sandbox/reset.js', settings).ended;
  rmSync(home, { recursive: true, force: true });
}, 60_000);

async function start(): Promise<Run> {
  sandbox = run('sandbox.js', settings);
  await untilSaid(sandbox, 'The sandbox is running');
  return sandbox;
}

const readFile = () => JSON.parse(readFileSync(join(directory, 'sandbox.json'), 'utf8')) as SandboxFile;

function clientOf({ api_url, api_key, api_secret }: SandboxFile): ApiClient {
  return new ApiClient(api_url, { apiKey: api_key, apiSecret: api_secret });
}

function runningParts(): number[] {
  const children = childrenOf(sandbox!.process.pid!);
  return PARTS.flatMap((part) => children.filter(({ command }) => command.includes(part)).map(({ pid }) => pid));
}

describe('The sandbox on a new folder', () => {
  it('comes up on one screen after a first start that was killed on the way (it stays up)', async () => {
    const killed = run('sandbox.js', settings);
    await waitUntil(() => existsSync(join(directory, 'service.env')), { timeoutMs: 30_000 });
    await new Promise((resolve) => setTimeout(resolve, 800));
    killed.process.kill('SIGKILL');
    await killed.ended;

    const lines = (await start()).stdout().trimEnd().split('\n');

    expect(lines.length).toBeLessThanOrEqual(24);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(100 + directory.length);
    expect(lines.join('\n')).toContain(readFile().api_secret);
    const page = await clientOf(readFile()).get<PageBody<object>>('/v1/pos?page=1&page_size=5');
    expect(page.total).toBe(1);
  }, 60_000);

  it('says the same to programs, and to nobody else (it stays up)', () => {
    const file = readFile();

    expect(Object.keys(file)).toEqual([
      'api_url',
      'docs_url',
      'api_key',
      'api_secret',
      'organization_id',
      'account_id',
      'pos_id',
      'networks',
      'payer',
    ]);
    expect(file.networks).toMatchObject([
      {
        network: 'sandbox',
        assets: [
          { symbol: 'USDC', decimals: 6 },
          { symbol: 'USDT', decimals: 6 },
          { symbol: 'DAI', decimals: 18 },
        ],
      },
    ]);
    for (const name of ['sandbox.json', 'service.env']) expect(statSync(join(directory, name)).mode & 0o077).toBe(0);
  });

  it('refuses a second one and a reset beside it, and still stays up', async () => {
    const second = run('sandbox.js', settings);
    const reset = run('sandbox/reset.js', settings);

    expect(await Promise.all([second.ended, reset.ended])).toEqual([1, 1]);
    expect(second.stderr()).toMatch(/A sandbox is running on .* already \(process \d+, http/);
    expect(reset.stderr()).toMatch(/Stop it with Ctrl-C in its terminal, then reset/);
    expect(runningParts()).toHaveLength(4);
  }, 30_000);

  it('brings back each part that is killed, and the demonstration holds: it stays up', async () => {
    const before = runningParts();
    for (const pid of before) process.kill(pid, 'SIGKILL');
    const isBack = () => runningParts().filter((pid) => !before.includes(pid)).length === 4;
    expect(await waitUntil(isBack, { timeoutMs: 40_000, everyMs: 100 })).toBe(true);
    for (const name of ['PostgreSQL', 'The chain', 'The API', 'The worker']) {
      await untilSaid(sandbox!, `${name} is running again.`);
    }

    const demo = run('sandbox/demo.js', settings);

    expect({ code: await demo.ended, said: demo.stderr() }).toEqual({ code: 0, said: expect.any(String) });
    expect(demo.stdout().match(/^ {2}ok {2}/gm)).toHaveLength(8);
    expect(sandbox!.stderr()).toMatch(/The API ended \(SIGKILL\)\. It is started again in 1 s\./);
  }, 120_000);

  it('pays by hand in parts; what cannot be paid is a sentence; it stays up', async () => {
    const file = readFile();
    const { pos_id, networks } = file;
    const body = { amount: '10', unique_asset_id: networks[0]!.assets[1]!.unique_asset_id };
    const { id, token } = await clientOf(file).post<PaymentRequestDto>(`/v1/pos/${pos_id}/payment-request`, body);

    const paid = run('sandbox/pay.js', settings, [id, '--amount', '9', '--split', '2']);
    const refused = [
      [token.slice(0, -8), /A wallet refuses this token/],
      ['nothing', /neither the id of a payment request nor a payment token/],
      [file.organization_id, /has no payment request/],
    ] as const;

    expect(await paid.ended).toBe(0);
    expect(paid.stdout()).toMatch(/Paying 9 USDT, less than the 10 USDT asked, in 2 transfers/);
    expect(paid.stdout().match(/paid {6}4\.5 USDT in block \d+: 0x[0-9a-f]{64}/g)).toHaveLength(2);
    for (const [what, sentence] of refused) {
      const pay = run('sandbox/pay.js', settings, [what]);
      expect(await pay.ended).toBe(1);
      expect(pay.stderr()).toMatch(sentence);
      expect(pay.stderr()).not.toMatch(/\n {4}at /);
    }
  }, 60_000);

  it('stops everything when it is told to', async () => {
    const parts = runningParts();

    sandbox!.process.kill('SIGTERM');

    expect(await sandbox!.ended).toBe(0);
    expect(parts).toHaveLength(4);
    expect(await allGone(parts, 100)).toBe(true);
  }, 30_000);
});

describe('The sandbox on its folder', () => {
  it('resumes where it was, and leaves nothing behind even when it is killed', async () => {
    const before = readFile();
    await start();
    const transactions = await clientOf(before).get<PageBody<object>>('/v1/transactions?page=1&page_size=5');
    const parts = runningParts();

    sandbox!.process.kill('SIGKILL');

    expect(readFile()).toEqual(before);
    expect(transactions.total).toBeGreaterThan(0);
    expect(parts).toHaveLength(4);
    expect(await allGone(parts, 10_000)).toBe(true);
  }, 60_000);

  it('makes a new credential where the old one was lost, for the same shop', async () => {
    const before = readFile();
    rmSync(join(directory, 'sandbox.json'));

    await start();

    const { api_key, api_secret, ...rest } = readFile();
    expect(rest).toMatchObject({ organization_id: before.organization_id, pos_id: before.pos_id });
    expect(api_key).not.toBe(before.api_key);
    expect(api_secret).not.toBe(before.api_secret);
    await expect(clientOf(before).authenticate()).rejects.toMatchObject({ code: 'credentials_invalid' });
    await clientOf(readFile()).authenticate();
  }, 60_000);

  it('refuses another chain than its database knows, and says the way out', async () => {
    rmSync(join(directory, 'chain.json.gz'));

    const refused = run('sandbox.js', settings);

    expect(await refused.ended).toBe(1);
    expect(refused.stderr()).toMatch(/the database belongs to chain 31337 with genesis .* `npm run reset`/);
    expect(refused.stderr()).not.toMatch(/\n {4}at /);
  }, 60_000);

  it('is gone after a reset', async () => {
    const reset = run('sandbox/reset.js', settings);

    expect(await reset.ended).toBe(0);
    expect(existsSync(directory)).toBe(false);
  });

  it('is started for the demonstration where none runs, and stopped after it', async () => {
    const demo = run('sandbox/demo.js', settings);

    expect({ code: await demo.ended, said: demo.stderr() }).toEqual({ code: 0, said: expect.any(String) });
    expect(demo.stdout()).toContain('All steps hold');
    const pay = run('sandbox/pay.js', settings, ['anything']);
    expect(await pay.ended).toBe(1);
    expect(pay.stderr()).toBe('No sandbox is running. Start one with npm start.\n');
  }, 90_000);
});

describe('A sandbox that cannot start', () => {
  it('names the port that is taken and its setting', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;

    const refused = run('sandbox.js', { ...settings, HTTP_PORT: String(port) });

    expect(await refused.ended).toBe(1);
    expect(refused.stderr()).toMatch(new RegExp(`port ${port} .*used by another program.* set HTTP_PORT to a free port`));
    other.close();
  }, 30_000);

  it('is for development only', async () => {
    const refused = run('sandbox.js', { ...settings, SERVICE_ENV: 'production' });

    expect(await refused.ended).toBe(1);
    expect(refused.stderr()).toMatch(/SERVICE_ENV is production, and the sandbox is for development only/);
  });
});
