import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startAnvil } from './anvil.js';
import { chainRpc } from './chain-rpc.js';
import { freePort } from '../processes/free-port.js';
import { NATIVE_COIN } from './payer-contract.js';
import { SANDBOX_CHAIN_ID, sandboxNetwork } from './sandbox-chain.js';
import { startSandboxNode } from './sandbox-node.js';
import { tokenOf } from '../payer/payer-wallet.js';
import { terminalOutput } from '../terminal/terminal-output.js';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'node-spec-'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function codeOfTokens(url: string): Promise<string[]> {
  const tokens = sandboxNetwork(url)
    .assets.map(({ unique_asset_id }) => tokenOf(unique_asset_id))
    .filter((token) => token !== NATIVE_COIN);
  return Promise.all(tokens.map((token) => chainRpc<string>(url, 'eth_getCode', [token, 'latest'])));
}

describe('The node of the sandbox', () => {
  it('keeps its contracts and balances when it is killed at the moment it is up', async () => {
    const place = { port: await freePort(), portSetting: 'PORT', stateFile: join(folder, 'chain') };
    const first = await startSandboxNode(place, () => undefined, terminalOutput());
    const before = await codeOfTokens(first.url);

    await first.kill();
    const bare = await startAnvil({ ...place, chainId: SANDBOX_CHAIN_ID });
    const after = await codeOfTokens(bare.url);
    await bare.kill();

    expect(before.every((code) => code.length > 2)).toBe(true);
    expect(after).toEqual(before);
  });
});
