import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startTestChain, TEST_CHAIN_ID, type TestChain } from '#test/support/chain.js';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import type { EnvironmentVariables } from '#app/settings/environment.js';
import { advanceChainTo, readChainTime, moveServiceClock, readServiceClock } from './advance-clock.js';
import { clockCommands } from './clock-commands.js';
import type { CommandResult } from '../command-result.js';
import type { StandaloneCommand } from '../command.js';
import { parseCommand } from '../parse-command.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { chainCommands } from './chain-commands.js';
import { reorganizeChain } from './reorganize-chain.js';

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
const newestBlock = async () => (await readChainTime(chain.url)).getTime();

/** Moves the clock and the chain like the commands, which reject a test database because of its name. */
async function advance(seconds: number) {
  const service = await moveServiceClock(platform.database, seconds);
  return { service, onChain: await advanceChainTo(chain.url, now) };
}

/** Writes a networks file of a sandbox on the chain of this test, with changes. */
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

const otherNetwork = () => ({
  ...networkAt('http://127.0.0.1:1'),
  network: 'erc20',
  chain_id: TEST_CHAIN_ID + 1,
});

function command(words: string[], settings: EnvironmentVariables = {}): Promise<CommandResult> {
  const sandbox = { SERVICE_ENV: 'development', NETWORKS_FILE: networksFile(), DATABASE_URL: platform.url };
  const { command: found, args } = parseCommand([...clockCommands, ...chainCommands], words);
  return (found as StandaloneCommand).runAlone(args, { ...sandbox, ...settings });
}

const PAYEE = `0x${'ab'.repeat(20)}`;

/** Mines the transaction in a separate block. @returns its hash */
async function send(): Promise<string> {
  const [from] = await chain.rpc<string[]>('eth_accounts');
  const hash = await chain.rpc<string>('eth_sendTransaction', [{ from, to: PAYEE, value: '0x1' }]);
  // The node responds shortly before the block is available.
  for (let tries = 0; tries < 3_000 && (await blockOf(hash)) === undefined; tries += 1) await sleep(20);
  return hash;
}

const height = () => chain.rpc<string>('eth_blockNumber').then(Number);

const blockOf = async (hash: string) =>
  (await chain.rpc<{ blockNumber: string } | null>('eth_getTransactionReceipt', [hash]))?.blockNumber;

const paid = () => chain.rpc<string>('eth_getBalance', [PAYEE, 'latest']).then(Number);

describe('The clock command', () => {
  it('moves the clocks of the service and the chain', async () => {
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

  it('dates no block ahead of the service’s clock, even after concurrent commands', async () => {
    await Promise.all([10, 20, 30].map((days) => advance(days * DAY + 50 * DAY)));

    expect(await secondsAhead()).toBe(210 * DAY);
    expect(await newestBlock()).toBeLessThanOrEqual((await now()).getTime());
    expect(await newestBlock()).toBeGreaterThan((await now()).getTime() - 60_000);
  });

  it('moves the clocks at most five years ahead', async () => {
    await moveServiceClock(platform.database, 1_825 * DAY);

    await expect(moveServiceClock(platform.database, 1)).rejects.toThrow(
      'The clock is 1825d ahead of real time. The limit is 1825d. npm run reset starts over with an empty sandbox.',
    );
    expect(await secondsAhead()).toBe(1_825 * DAY);
  });

  it.each<[string, () => EnvironmentVariables, RegExp]>([
    [
      'in production',
      () => ({ SERVICE_ENV: 'production' }),
      /^SERVICE_ENV is production: only the clock of a sandbox can be moved, .* npm start\.$/,
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
  ])('is rejected %s', async (_, settings, sentence) => {
    const newest = await newestBlock();

    await expect(command(['clock', 'advance', '31d'], settings())).rejects.toThrow(sentence);

    expect(await secondsAhead()).toBe(0);
    expect(await newestBlock()).toBe(newest);
  });
});

describe('The clock display', () => {
  it('shows how far it is ahead, and the time of the newest block', async () => {
    await platform.advance(90);

    const { data, note } = await command(['clock', 'show']);

    expect(data).toEqual({
      service_time: expect.any(Date),
      ahead_seconds: 90,
      chain_time: new Date(await newestBlock()),
    });
    expect(note).toBe('The service is 1m30s ahead of real time.');
  });
});

describe('The reorganization of the sandbox’s chain', () => {
  it('replaces the newest blocks without their transactions', async () => {
    const [kept, lost, last] = [await send(), await send(), await send()];
    const [before, balance] = [await height(), await paid()];

    const { data, note } = await command(['chain', 'reorg', '2', '--drop']);

    expect(data).toEqual({
      network: 'sandbox',
      from_height: before - 1,
      to_height: before,
      changed: [before - 1, before],
      dropped: [lost, last],
    });
    expect(note).toBe(
      `The blocks at heights ${before - 1} to ${before} were replaced. Transactions no longer in a block: 2.`,
    );
    expect([await height(), await paid()]).toEqual([before, balance - 2]);
    expect(await blockOf(kept)).toBe(`0x${(before - 2).toString(16)}`);
    expect(await blockOf(lost)).toBeUndefined();
  });

  it('includes the transactions again in the blocks that replace theirs, if they are to be kept', async () => {
    const [first, second] = [await send(), await send()];
    const [places, balance] = [[await blockOf(first), await blockOf(second)], await paid()];

    const { changed, dropped } = await reorganizeChain(chain.url, 2, true);

    expect(changed).toEqual(places.map(Number));
    expect(dropped).toEqual([]);
    expect([await blockOf(first), await blockOf(second)]).toEqual(places);
    expect(await paid()).toBe(balance);
  });

  it.each<[string, () => EnvironmentVariables, RegExp]>([
    [
      'in production',
      () => ({ SERVICE_ENV: 'production' }),
      /SERVICE_ENV is production: only the chain of a sandbox/,
    ],
    [
      'on another machine',
      () => ({ NETWORKS_FILE: networksFile({ rpc_urls: ['http://node.example:8545'] }) }),
      /NETWORKS_FILE does not configure a sandbox/,
    ],
    [
      'on a chain that only has its name',
      () => ({ NETWORKS_FILE: networksFile({ chain_id: 31_338 }) }),
      /is not the sandbox's chain: it runs anvil\/.* with chain id 31337/,
    ],
  ])('is rejected %s', async (_, settings, sentence) => {
    const hash = await send();

    await expect(command(['chain', 'reorg', '1'], settings())).rejects.toThrow(sentence);
    expect(await blockOf(hash)).toBeDefined();
  });
});
