import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { parseUnits } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { startTestChain, type TestChain } from '#test/support/chain.js';
import { sampleAsset } from '#contexts/networks/testing/sample-configuration.js';
import { DEAD, ExaminedNetworks, FACTORY } from '../testing/examined-networks.js';

let networks: ExaminedNetworks;
let bare: TestChain;

beforeAll(async () => {
  [networks, bare] = await Promise.all([ExaminedNetworks.start(), startTestChain()]);
});
afterAll(() => Promise.all([networks.stop(), bare.stop()]));
afterEach(() => networks.close());

describe('network deploy', () => {
  const folder = mkdtempSync(join(tmpdir(), 'network-deploy-'));
  const key = `0x${randomBytes(32).toString('hex')}` as const;
  const keyFile = join(folder, 'key');
  writeFileSync(keyFile, `${key.slice(2)}\n`);
  afterAll(() => rmSync(folder, { recursive: true }));

  it('says that it is there already', async () => {
    const { status, data } = await (
      await networks.open()
    ).runJson('network', 'deploy', 'sandbox', '--send', '--yes', '--key-file', keyFile);

    expect([status, data]).toEqual([
      0,
      expect.objectContaining({ outcome: 'already_there', factory: FACTORY }),
    ]);
    expect(data).not.toHaveProperty('transaction_hash');
  });

  it('sends nothing without --send, and says what it would take', async () => {
    const before = await bare.rpc('eth_blockNumber');
    const { status, data } = await (
      await networks.open([bare.url])
    ).runJson<Record<string, string>>('network', 'deploy', 'sandbox');

    expect([status, await bare.rpc('eth_blockNumber')]).toEqual([0, before]);
    expect(data).toMatchObject({ outcome: 'planned', factory: FACTORY, highest_gas: expect.any(Number) });
    expect(Number(data['highest_cost'])).toBeGreaterThan(0);
    expect(data).not.toHaveProperty('from');
  });

  it('sends nothing from an account that cannot pay, then deploys by its key alone, once', async () => {
    const opened = await networks.open([DEAD, bare.url], { assets: [sampleAsset()] });
    const words = ['network', 'deploy', 'sandbox', '--key-file', keyFile];

    const poor = await opened.run(...words, '--send', '--yes');
    await bare.rpc('anvil_setBalance', [privateKeyToAddress(key), '0xde0b6b3a7640000']);
    const planned = await opened.runJson<object>(...words);
    const deployed = await opened.runJson<Record<string, string>>(...words, '--send', '--yes');
    const again = await opened.runJson<object>(...words, '--send', '--yes');

    expect([poor.status, poor.err]).toEqual([1, expect.stringMatching(/holds 0 wei.*Nothing was sent/)]);
    expect(planned.data).toMatchObject({ outcome: 'planned', from: privateKeyToAddress(key), balance: '1' });
    expect(deployed.data).toMatchObject({
      outcome: 'deployed',
      transaction_hash: expect.stringMatching(/^0x/),
    });
    const sent = await bare.rpc<Record<string, string>>('eth_getTransactionByHash', [
      deployed.data['transaction_hash'],
    ]);
    expect(sent['from']).toBe(privateKeyToAddress(key).toLowerCase());
    expect(BigInt(sent['gas']!) * BigInt(sent['maxFeePerGas']!)).toBeLessThanOrEqual(
      parseUnits(deployed.data['highest_cost']!, 18),
    );
    expect(Number(sent['gas'])).toBe(deployed.data['highest_gas']);
    const { data: senders } = await opened.runJson<object[]>('sender', 'status');
    expect(senders).toEqual([
      expect.objectContaining({
        address: privateKeyToAddress(key),
        key_is_held: true,
        transaction_count: 1,
        problem: null,
        balance_is_low: expect.any(Boolean),
        unfinished: [
          expect.objectContaining({
            nonce: 0,
            purpose: 'factory_deployment',
            state: 'mined',
            attempts: 1,
            transaction_hash: deployed.data['transaction_hash'],
            situation: 'in_a_block',
            next_step: expect.stringContaining('Nothing to do'),
          }),
        ],
      }),
    ]);
    expect(again.data).toMatchObject({ outcome: 'already_there' });
    for (const printed of [poor.err, JSON.stringify(deployed)]) expect(printed).not.toContain(key.slice(2));
  });

  it('says when the deterministic deployer is missing', async () => {
    await bare.rpc('anvil_setCode', [FACTORY, '0x']);
    await bare.rpc('anvil_setCode', ['0x4e59b44847b379578588920cA78FbF26c0B4956C', '0x']);

    const { status, out } = await (await networks.open([bare.url])).run('network', 'deploy', 'sandbox');

    expect(status).toBe(1);
    expect(out).toMatch(/deployer_missing[\s\S]*Deploy it first/);
  });

  it('sends to no endpoint of another chain', async () => {
    const { status, err } = await (
      await networks.open([await networks.foreignNode()])
    ).run('network', 'deploy', 'sandbox', '--send', '--yes', '--key-file', keyFile);

    expect([status, err]).toEqual([1, expect.stringContaining('serves chain 1')]);
  });

  it.each([
    ['without a key', ['--send'], /--send requires --key-file/],
    ['with a file that is not there', ['--key-file', join(folder, 'none')], /readable file: ENOENT/],
    [
      'with a file that holds no key',
      ['--key-file', new URL(import.meta.url).pathname],
      /must contain one private key/,
    ],
  ])('refuses to begin %s', async (_, options, sentence) => {
    expect(await (await networks.open()).run('network', 'deploy', 'sandbox', ...options)).toMatchObject({
      status: 2,
      err: expect.stringMatching(sentence),
    });
  });
});
