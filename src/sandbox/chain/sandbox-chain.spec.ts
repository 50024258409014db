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
});

describe('Networks of the user’s own', () => {
  it('rejects what the service would reject, with the place', async () => {
    writeFileSync(file, JSON.stringify([{ network: 'erc20' }]));

    await expect(readUserNetworks(file)).rejects.toThrow(/NETWORKS_FILE: networks\[0\]/);
  });
});
