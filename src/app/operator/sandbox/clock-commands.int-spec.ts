import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startTestChain, TEST_CHAIN_ID, type TestChain } from '#test/support/chain.js';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import type { Environment } from '#app/settings/environment.js';
import { bringChainTo, chainTime, moveServiceClock, readServiceClock } from './advance-clock.js';
import { clockCommands } from './clock-commands.js';
import type { Answer } from '../answer.js';
import type { StandaloneCommand } from '../command.js';
import { parseCommand } from '../parse-command.js';

const DAY = 86_400;
const MOVED = ['clock-is-not-moved'];

let chain: TestChain;
let folder: string;
let platform: TestPlatform;

beforeAll(async () => {
  chain = await startTestChain();
  folder = mkdtempSync(join(tmpdir(), 'clock-spec-'));
});
afterAll(async () => {
  await chain.kill();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  platform = await openTestDatabase();
});
afterEach(() => platform.close(MOVED));

const now = async () => (await readServiceClock(platform.database)).now;
const secondsAhead = async () => (await readServiceClock(platform.database)).aheadSeconds;
const newestBlock = async () => (await chainTime(chain.url)).getTime();

/** Does what both commands do in a sandbox, whose database has another name than a test's. */
async function advance(seconds: number) {
  const service = await moveServiceClock(platform.database, seconds);
  return { service, onChain: await bringChainTo(chain.url, now) };
}

/** The networks file of a sandbox on the chain of this test, apart from what is changed. */
function networksFile(changes: object = {}, ...more: object[]): string {
  const file = join(mkdtempSync(join(folder, 'of-')), 'networks.json');
  writeFileSync(file, JSON.stringify([{ ...networkAt(chain.url), ...changes }, ...more]));
  return file;
}

function networkAt(url: string): object {
  const token = `0x${'11'.repeat(20)}`;
  const asset = { token, symbol: 'USDC', name: 'Test', decimals: 6, minimum_amount: '0.01' };
  const network = { network: 'sandbox', name: 'Sandbox', chain_id: TEST_CHAIN_ID, rpc_urls: [url] };
  return { ...network, finality: { confirmations: 5 }, assets: [asset] };
}

const BITCOIN = {
  network: 'sandbox-bitcoin',
  name: 'Sandbox Bitcoin',
  family: 'bitcoin',
  chain: 'regtest',
  rpc_urls: ['http://127.0.0.1:1'],
  assets: [{ token: 'BTC', symbol: 'BTC', name: 'Bitcoin', decimals: 8, minimum_amount: '0.00001' }],
};

const otherNetwork = () => ({
  ...networkAt('http://127.0.0.1:1'),
  network: 'erc20',
  chain_id: TEST_CHAIN_ID + 1,
});

function command(words: string[], settings: Environment = {}): Promise<Answer> {
  const sandbox = { SERVICE_ENV: 'development', NETWORKS_FILE: networksFile(), DATABASE_URL: platform.url };
  const { command: found, args } = parseCommand(clockCommands, ['clock', ...words]);
  return (found as StandaloneCommand).runAlone(args, { ...sandbox, ...settings });
}

describe('Moving the sandbox’s clock', () => {
  it('moves the service’s time and that of the chain, which has a block of the new time', async () => {
    const height = Number(await chain.rpc('eth_blockNumber'));
    const earlier = (await now()).getTime();

    const { service, onChain } = await advance(31 * DAY);

    expect(await secondsAhead()).toBe(31 * DAY);
    expect(service.after.getTime() - service.before.getTime()).toBe(31 * DAY * 1_000);
    expect(service.before.getTime()).toBeGreaterThanOrEqual(earlier);
    expect(Number(await chain.rpc('eth_blockNumber'))).toBe(height + 1);
    expect(onChain.after.getTime()).toBe(await newestBlock());
    expect(onChain.after.getTime()).toBeGreaterThanOrEqual(service.after.getTime() - 1_000);
  });

  it('lets the chain’s later blocks follow from there', async () => {
    await advance(40 * DAY);
    const moved = await newestBlock();

    await chain.rpc('evm_mine');

    expect(await newestBlock()).toBeGreaterThanOrEqual(moved);
  });

  it('never dates a block ahead of the service’s clock, also where several move it at once', async () => {
    await Promise.all([10, 20, 30].map((days) => advance(days * DAY + 50 * DAY)));

    expect(await secondsAhead()).toBe(210 * DAY);
    expect(await newestBlock()).toBeLessThanOrEqual((await now()).getTime());
    expect(await newestBlock()).toBeGreaterThan((await now()).getTime() - 60_000);
  });

  it('leaves a chain as it is that is ahead already', async () => {
    await advance(300 * DAY);
    await chain.mine(120);
    const newest = await newestBlock();

    const { before, after } = await bringChainTo(chain.url, now);

    expect([before.getTime(), after.getTime(), await newestBlock()]).toEqual([newest, newest, newest]);
  });

  it('ends at five years ahead, and moves nothing then', async () => {
    await moveServiceClock(platform.database, 1_825 * DAY);

    await expect(moveServiceClock(platform.database, 1)).rejects.toThrow(
      'The clock is 1825d ahead of real time. The limit is 1825d. npm run reset starts over with an empty sandbox.',
    );
    expect(await secondsAhead()).toBe(1_825 * DAY);
  });

  it.each([
    ['0d', /duration must be more than 0/],
    ['-31d', /"-31d" is negative/],
    ['1826d', /duration must be at most 1825d\./],
    ['soon', /duration must be whole numbers with units/],
  ])('is not done for %s', async (duration, sentence) => {
    await expect(async () => command(['advance', duration])).rejects.toThrow(sentence);
    expect(await secondsAhead()).toBe(0);
  });

  it.each<[string, () => Environment, RegExp]>([
    [
      'in production',
      () => ({ SERVICE_ENV: 'production' }),
      /^SERVICE_ENV is production: only the clock of a sandbox can be moved, .* npm start\.$/,
    ],
    [
      'on networks of the user’s own',
      () => ({ NETWORKS_FILE: networksFile({ network: 'erc20' }) }),
      /^NETWORKS_FILE does not configure a sandbox: the time of real chains cannot be moved/,
    ],
    [
      'on a network of the user’s own beside the sandbox’s',
      () => ({ NETWORKS_FILE: networksFile({}, otherNetwork()) }),
      /^NETWORKS_FILE also lists erc20: the time of real chains cannot be moved/,
    ],
    [
      'on a database of the user’s own',
      () => ({}),
      /^DATABASE_URL is set: .* Start a sandbox without DATABASE_URL \(npm start\)/,
    ],
    [
      'where no chain answers',
      () => ({ NETWORKS_FILE: networksFile({ rpc_urls: ['http://127.0.0.1:1'] }) }),
      /^No sandbox is running at http:\/\/127\.0\.0\.1:1\./,
    ],
  ])('is refused %s', async (_, settings, sentence) => {
    const newest = await newestBlock();

    await expect(command(['advance', '31d'], settings())).rejects.toThrow(sentence);

    expect(await secondsAhead()).toBe(0);
    expect(await newestBlock()).toBe(newest);
  });
});

describe('Showing the clock', () => {
  it('says how far it is ahead, and the time of the newest block', async () => {
    await platform.advance(90);

    const { data, note } = await command(['show']);

    expect(data).toEqual({
      service_time: expect.any(Date),
      ahead_seconds: 90,
      chain_time: new Date(await newestBlock()),
    });
    expect(note).toBe('The service is 1m30s ahead of real time.');
  });

  it('has the time of Bitcoin’s chain where the sandbox has one, by the process that makes its blocks', async () => {
    const asked: string[] = [];
    const sandbox = createServer((request, response) => {
      request.on('data', (body: Buffer) => asked.push(`${request.url} ${body}`));
      request.on('end', () => response.end(JSON.stringify({ chain_time: '2030-01-01T00:00:00.000Z' })));
    }).listen(0, '127.0.0.1');
    await once(sandbox, 'listening');
    const at = `http://127.0.0.1:${(sandbox.address() as AddressInfo).port}`;
    const settings = { NETWORKS_FILE: networksFile({}, BITCOIN), CHECKOUT_SANDBOX_WALLET_URL: at };

    const shown = await command(['show'], settings);
    sandbox.close();
    sandbox.closeAllConnections();
    await once(sandbox, 'close');

    expect(shown.data).toMatchObject({ bitcoin_time: new Date('2030-01-01') });
    expect(asked).toEqual(['/blocks {}']);
    expect((await command(['show'], settings)).data).toMatchObject({ bitcoin_time: null });
  });

  it('needs nothing but the database, and is allowed everywhere', async () => {
    const { data, note } = await command(['show'], { SERVICE_ENV: 'production', NETWORKS_FILE: undefined });

    expect(data).toMatchObject({ ahead_seconds: 0, chain_time: null });
    expect(note).toBe('The service uses real time.');
  });
});
