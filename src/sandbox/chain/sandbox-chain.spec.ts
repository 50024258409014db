import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sandboxNetwork, sandboxNetworkConfiguration } from './sandbox-chain.js';
import { readUserNetworks } from './user-networks.js';

const URL = 'http://127.0.0.1:8546';

let folder: string;
let file: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-chain-'));
  file = join(folder, 'networks.json');
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('The sandbox’s network', () => {
  it('lists to programs what the service reads of its configuration', async () => {
    writeFileSync(file, JSON.stringify(sandboxNetworkConfiguration(URL)));

    expect(await readUserNetworks(file)).toEqual([sandboxNetwork(URL)]);
  });

  it('has the native coin last, with a minimum and without a peg', () => {
    const [{ assets }] = sandboxNetworkConfiguration(URL) as [{ assets: object[] }];

    expect(sandboxNetwork(URL).assets.at(-1)!.unique_asset_id).toBe('nsandbox_tETH');
    expect(assets.at(-1)).toMatchObject({ token: 'ETH', minimum_amount: '0.0001' });
    expect(assets.at(-1)).not.toHaveProperty('peg');
  });
});

describe('Networks of the user’s own', () => {
  it('are refused with the place and the rule where the service would refuse them', async () => {
    writeFileSync(file, JSON.stringify([{ network: 'erc20' }]));

    await expect(readUserNetworks(file)).rejects.toThrow(/NETWORKS_FILE: networks\[0\]/);
  });
});
