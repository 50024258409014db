import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestChain, type TestChain } from '#test/support/chain.js';
import type { Environment } from '#app/settings/environment.js';
import { chainCommands } from './chain-commands.js';
import type { StandaloneCommand } from '../command.js';
import { parseCommand } from '../parse-command.js';
import { reorganiseChain } from './reorganise-chain.js';

const PAYEE = `0x${'ab'.repeat(20)}`;

let chain: TestChain;
let folder: string;

beforeAll(async () => {
  chain = await startTestChain();
  folder = mkdtempSync(join(tmpdir(), 'reorg-spec-'));
});
afterAll(async () => {
  await chain.kill();
  rmSync(folder, { recursive: true, force: true });
});

/** @returns its hash, in a block of its own */
async function send(): Promise<string> {
  const [from] = await chain.rpc<string[]>('eth_accounts');
  const hash = await chain.rpc<string>('eth_sendTransaction', [{ from, to: PAYEE, value: '0x1' }]);
  // The node answers a moment before the block is there.
  for (let tries = 0; tries < 3_000 && (await blockOf(hash)) === undefined; tries += 1) await sleep(20);
  return hash;
}

const height = () => chain.rpc<string>('eth_blockNumber').then(Number);
const blockOf = async (hash: string) =>
  (await chain.rpc<{ blockNumber: string } | null>('eth_getTransactionReceipt', [hash]))?.blockNumber;
const paid = () => chain.rpc<string>('eth_getBalance', [PAYEE, 'latest']).then(Number);
const newestTime = async () =>
  Number((await chain.rpc<{ timestamp: string }>('eth_getBlockByNumber', ['latest', false])).timestamp);

/** The sandbox's networks file, apart from what is changed. */
function networksFile(changes: object = {}): string {
  const file = join(mkdtempSync(join(folder, 'of-')), 'networks.json');
  const token = `0x${'11'.repeat(20)}`;
  const asset = { token, symbol: 'USDC', name: 'Test', decimals: 6, minimum_amount: '0.01' };
  const network = { network: 'sandbox', name: 'Sandbox', chain_id: 31_337, rpc_urls: [chain.url] };
  const rest = { finality: { confirmations: 5 }, assets: [asset] };
  writeFileSync(file, JSON.stringify([{ ...network, ...rest, ...changes }]));
  return file;
}

function command(words: string[], settings: Environment = {}) {
  const environment = { SERVICE_ENV: 'development', NETWORKS_FILE: networksFile(), ...settings };
  const { command: found, args } = parseCommand(chainCommands, ['chain', 'reorg', ...words]);
  return (found as StandaloneCommand).runAlone(args, environment);
}

describe('Reorganising the sandbox’s chain', () => {
  it('leaves the contracts where they were, also in a chain so old that its node forgets them', async () => {
    const old = await startTestChain();
    const contract = `0x${'c0'.repeat(20)}`;
    await old.rpc('anvil_setCode', [contract, '0x6001']);
    await old.mine(1_000);

    await reorganiseChain(old.url, 60, false, [contract]);

    expect(await old.rpc('eth_getCode', [contract, 'latest'])).toBe('0x6001');
    await old.kill();
  });

  it('puts other blocks in the place of the newest, without their transactions', async () => {
    const [kept, lost, last] = [await send(), await send(), await send()];
    const [before, balance] = [await height(), await paid()];

    const { data, note } = await command(['2', '--drop']);

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

  it('can take the transactions along, each into another block of its height', async () => {
    const [first, second] = [await send(), await send()];
    const [places, balance] = [[await blockOf(first), await blockOf(second)], await paid()];

    const { changed, dropped } = await reorganiseChain(chain.url, 2, true);

    expect(changed).toEqual(places.map(Number));
    expect(dropped).toEqual([]);
    expect([await blockOf(first), await blockOf(second)]).toEqual(places);
    expect(await paid()).toBe(balance);
  });

  it('does not set the chain’s clock back', async () => {
    await chain.mine(100);
    const before = await newestTime();

    await command(['100']);
    await chain.mine(1);

    expect(await newestTime()).toBeGreaterThanOrEqual(before);
  });

  it.each([
    [['0'], 'blocks must be a whole number from 1 to 128.'],
    [['129'], 'blocks must be a whole number from 1 to 128.'],
    [['2', '--keep', '--drop'], 'Use either --drop or --keep, not both.'],
  ])('is not done for %j', async (words, sentence) => {
    const before = await newestTime();

    await expect(async () => command(words)).rejects.toThrow(sentence);
    expect(await newestTime()).toBe(before);
  });

  it('cannot reach below the first block', async () => {
    const young = await startTestChain();
    await young.mine(3);

    await expect(reorganiseChain(young.url, 4, false)).rejects.toThrow(
      'The chain has only 3 blocks that can be replaced',
    );
    await young.kill();
  });

  it.each<[string, () => Environment, RegExp]>([
    [
      'in production',
      () => ({ SERVICE_ENV: 'production' }),
      /SERVICE_ENV is production: only the chain of a sandbox/,
    ],
    [
      'on another network',
      () => ({ NETWORKS_FILE: networksFile({ network: 'erc20' }) }),
      /NETWORKS_FILE does not configure a sandbox/,
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
    [
      'where none runs',
      () => ({ NETWORKS_FILE: networksFile({ rpc_urls: ['http://127.0.0.1:1'] }) }),
      /No sandbox is running at http:\/\/127\.0\.0\.1:1\. Start one with npm start\./,
    ],
  ])('is refused %s', async (_, settings, sentence) => {
    const hash = await send();

    await expect(command(['1'], settings())).rejects.toThrow(sentence);
    expect(await blockOf(hash)).toBeDefined();
  });
});
