import { describe, expect, it } from '@jest/globals';
import { bitcoinNetwork } from '../bitcoin/bitcoin-network.js';
import { SandboxFolder, type SandboxFile, type SandboxNetwork } from '../folder/sandbox-folder.js';
import { startupSummary } from './startup-summary.js';

const CHAIN: SandboxNetwork = {
  network: 'sandbox',
  chain_id: 31_337,
  rpc_url: 'http://127.0.0.1:8545',
  assets: [{ symbol: 'USDT', unique_asset_id: 'nsandbox_t0x1', decimals: 6 }],
};

function screenWith(...networks: SandboxNetwork[]): string {
  const payer = { address: '0x1', private_key: '0x2' };
  const file = { api_key: 'key', api_secret: 'secret', pos_id: 'p', account_id: 'a', networks, payer };
  const folder = new SandboxFolder('/tmp/sandbox');
  return startupSummary({ file: file as unknown as SandboxFile, folder, parts: [], payable: [] }, 1_000);
}

describe('The start screen of a sandbox', () => {
  it('says how to pay in bitcoin where the sandbox has Bitcoin, and only there', () => {
    expect(screenWith(CHAIN)).not.toContain('bitcoin');
    expect(screenWith(CHAIN, bitcoinNetwork('http://127.0.0.1:18443'))).toMatch(
      /^ {2}npm run pay -- <page> --by bitcoin {2,}the same in bitcoin/m,
    );
  });

  it('suggests the subscription only where the clock can be moved by months', () => {
    expect(screenWith(CHAIN)).toContain('npm run demo -- subscription');
    expect(screenWith(CHAIN, bitcoinNetwork('http://127.0.0.1:18443'))).not.toContain('demo -- subscription');
  });
});
