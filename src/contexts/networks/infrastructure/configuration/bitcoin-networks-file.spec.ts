import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { problemsOutsideDevelopment } from './network-problems.js';
import { parseNetworksConfiguration } from './parse-networks-configuration.js';

const FOLDER = new URL('../../../../../docs/reference/networks/', import.meta.url);
const read = (file: string) => JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as object[];
const networks = parseNetworksConfiguration(read('bitcoin-networks.json'));

describe('The sample entry of Bitcoin', () => {
  it('has nothing that staging and production refuse', () => {
    expect(problemsOutsideDevelopment(networks)).toEqual([]);
  });

  it('stands in one file with EVM networks', () => {
    const both = [...read('evm-networks.json'), ...read('bitcoin-networks.json')];

    expect(parseNetworksConfiguration(both)).toHaveLength(8);
  });

  it('has the coin that the protocol lists, and the confirmations that are decided for its amounts', () => {
    expect(networks[0]!.assets).toMatchObject([
      {
        uniqueAssetId: 'nbitcoin_tBTC',
        decimals: 8,
        depths: [
          { upTo: 1_000_000n, confirmations: 1 },
          { upTo: 10_000_000n, confirmations: 3 },
          { confirmations: 6 },
        ],
      },
    ]);
  });

  it('names endpoints that cannot exist (RFC 2606), for the operator to replace', () => {
    const hosts = networks.flatMap(({ rpcUrls }) => rpcUrls.map((url) => new URL(url).hostname));

    expect(hosts).toEqual(['rpc.example', 'rpc.example']);
  });
});
