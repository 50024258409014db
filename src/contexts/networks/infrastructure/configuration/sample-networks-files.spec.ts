import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { isNative } from '#shared/kernel/asset.js';
import { EVM_CONFIGURATION_SCHEMA } from '#chains/evm/evm-configuration.js';
import { currentFactoryAddress } from '#chains/forwarders/forwarder-artifacts.js';
import { ForwarderDerivations } from '#chains/evm/forwarders/forwarder-derivations.js';
import { NetworksSettings } from '../networks-settings.js';
import { networkProblemsInProduction } from './network-problems.js';
import { parseNetworksConfiguration } from './parse-networks-configuration.js';

const read = (file: string) =>
  JSON.parse(
    readFileSync(new URL(`../../../../../docs/reference/networks/${file}`, import.meta.url), 'utf8'),
  ) as object[];
const networks = parseNetworksConfiguration(read('evm-networks.json'));
const assets = networks.flatMap((network) => network.assets);

/** The assets that the NASPIP protocol lists for its EVM networks, by unique asset id. */
const LISTED = {
  narbitrum_t0xaf88d065e77c8cC2239327C5EDb3A432268e5831: ['USDC', 6],
  narbitrum_t0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9: ['USDT', 6],
  navalanche_t0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E: ['USDC', 6],
  navalanche_t0x9702230A8Ea53601f5cD2dc00fDBc13d4dF4A8c7: ['USDT', 6],
  nbase_t0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913: ['USDC', 6],
  nbep20_t0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d: ['USDC', 18],
  nbep20_t0x55d398326f99059fF775485246999027B3197955: ['USDT', 18],
  nerc20_t0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48: ['USDC', 6],
  nerc20_t0xdAC17F958D2ee523a2206206994597C13D831ec7: ['USDT', 6],
  noptimism_t0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85: ['USDC', 6],
  noptimism_t0x7F5c764cBc14f9669B88837ca1490cCa17c31607: ['USDC.e', 6],
  noptimism_t0x94b008aA00579c1307B0EF2c499aD98a8ce58e58: ['USDT', 6],
  npolygon_t0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359: ['USDC', 6],
  npolygon_t0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174: ['USDC.e', 6],
  npolygon_t0xc2132D05D31c914a87C6611C10748AEb04B58e8F: ['USDT', 6],
};
const chosen = Object.fromEntries(
  assets
    .filter((asset) => !isNative(asset))
    .map(({ uniqueAssetId, symbol, decimals }) => [uniqueAssetId, [symbol, decimals]]),
);

describe('The sample file of EVM networks', () => {
  it('passes the checks of staging and production', () => {
    expect(networkProblemsInProduction(networks)).toEqual([]);
  });

  it('lists exactly the assets that the protocol lists, by their ids', () => {
    expect(chosen).toEqual(LISTED);
  });

  it('has every chain whose native coin is known, and no other', () => {
    expect(networks.map(({ chainId }) => chainId).sort((a, b) => a - b)).toEqual(
      Object.keys(EVM_CONFIGURATION_SCHEMA.nativeSymbols).map(Number),
    );
  });

  it('uses the same factory everywhere', () => {
    const derivations = new ForwarderDerivations(new NetworksSettings(networks));

    expect(new Set(networks.map(({ network }) => derivations.configured(network)?.factory))).toEqual(
      new Set([currentFactoryAddress()]),
    );
  });

  it('requires two endpoints for large amounts', () => {
    expect(networks.map(({ rpcUrls }) => new Set(rpcUrls).size)).toEqual(networks.map(() => 2));
    expect(assets.filter(({ crossCheckAbove: agreementAbove }) => agreementAbove === undefined)).toEqual([]);
  });

  it('pegs stablecoins to the dollar and nothing else', () => {
    expect(assets.filter(({ peg }) => peg === 'USD').map(isNative)).toEqual(
      Object.keys(LISTED).map(() => false),
    );
    expect(assets.filter((asset) => isNative(asset) && asset.peg !== undefined)).toEqual([]);
  });
});

describe('The sample file of Bitcoin', () => {
  it('passes the checks of staging and production, and fits in one file with EVM networks', () => {
    const bitcoin = read('bitcoin-networks.json');

    expect(networkProblemsInProduction(parseNetworksConfiguration(bitcoin))).toEqual([]);
    expect(parseNetworksConfiguration([...read('evm-networks.json'), ...bitcoin])).toHaveLength(8);
  });
});

describe('The sample file of TRON', () => {
  it('passes the checks of staging and production, with the asset that the protocol lists', () => {
    const networks = parseNetworksConfiguration([
      ...read('tron-networks.json'),
      ...read('evm-networks.json'),
    ]);

    expect(networkProblemsInProduction(networks)).toEqual([]);
    expect(networks[0]!.assets.map(({ uniqueAssetId, decimals }) => [uniqueAssetId, decimals])).toEqual([
      ['ntrc20_tTR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 6],
    ]);
  });
});
