import { describe, expect, it } from '@jest/globals';
import { networkProblemsInProduction } from '#contexts/networks/infrastructure/configuration/network-problems.js';
import { parseNetworksConfiguration } from '#contexts/networks/infrastructure/configuration/parse-networks-configuration.js';
import { sampleBitcoin } from './testing/sample-bitcoin.js';
import { BITCOIN_CONFIGURATION_SCHEMA } from './bitcoin-configuration.js';

const read = (...networks: readonly object[]) =>
  parseNetworksConfiguration(networks, [BITCOIN_CONFIGURATION_SCHEMA]);
const asset = (changes: object = {}) => ({
  assets: [
    { token: 'BTC', symbol: 'BTC', name: 'Bitcoin', decimals: 8, minimum_amount: '0.00001', ...changes },
  ],
});

describe('The configuration of a Bitcoin network', () => {
  it('uses the defaults of its chain', () => {
    expect(read(sampleBitcoin({ chain: 'main' }))).toEqual([
      {
        network: 'bitcoin',
        name: 'Bitcoin',
        nativeCoin: { symbol: 'BTC', decimals: 8 },
        family: 'bitcoin',
        hidesNativeTransfers: false,
        deliversDirectly: true,
        chainId: 0xd9b4bef9,
        rpcUrls: ['http://127.0.0.1:18443'],
        acceptedRisks: new Set(),
        finality: { kind: 'confirmations', confirmations: 1 },
        inclusionGraceSeconds: 0,
        pendingGraceSeconds: 86_400,
        blockSeconds: 600,
        maxLagSeconds: 21_600,
        mempoolPollSeconds: 3,
        contracts: [],
        settlement: { everySeconds: 300, maxGasSharePercent: 2, afterHours: 168, isPaused: false },
        assets: [
          {
            uniqueAssetId: 'nbitcoin_tBTC',
            network: 'bitcoin',
            token: 'BTC',
            symbol: 'BTC',
            name: 'Bitcoin',
            decimals: 8,
            minimumAmount: 1_000n,
            depths: [
              { upTo: 1_000_000n, confirmations: 1 },
              { upTo: 10_000_000n, confirmations: 3 },
              { confirmations: 6 },
            ],
          },
        ],
      },
    ]);
  });

  it('accepts one number of confirmations, or a table by amount', () => {
    const [every] = read(sampleBitcoin({ finality: { confirmations: 2 } }));
    const table = [{ up_to: '1', confirmations: 2 }, { confirmations: 4 }];
    const [own] = read(sampleBitcoin(asset({ confirmations_by_amount: table })));

    expect([every!.finality, every!.assets[0]!.depths]).toEqual([
      { kind: 'confirmations', confirmations: 2 },
      undefined,
    ]);
    expect([own!.finality, own!.assets[0]!.depths]).toEqual([
      { kind: 'confirmations', confirmations: 2 },
      [{ upTo: 100_000_000n, confirmations: 2 }, { confirmations: 4 }],
    ]);
  });

  it.each([
    [{ chain: 'testnet3' }, 'networks[0].chain: must be "main", "testnet4", "signet" or "regtest"'],
    [
      { finality: { tag: 'finalized', typical_confirmations: 6 } },
      'networks[0].finality: must be an object with confirmations',
    ],
    [{ settlement: { paused: true } }, 'networks[0].settlement: is not a known setting'],
    [
      { inclusion_grace_seconds: 604_801 },
      'networks[0].inclusion_grace_seconds: must be an integer from 0 to 604800',
    ],
    [asset({ token: 'USDT' }), 'networks[0].assets[0].token: must be the symbol of the native coin'],
    [asset({ decimals: 18 }), 'networks[0].assets[0].decimals: must be 8'],
    [
      { chain: 'main', ...asset({ token: 'ETH', symbol: 'ETH' }) },
      'networks[0].assets[0].symbol: must be BTC',
    ],
  ])('is refused with a setting that does not fit Bitcoin: %j', (changes, says) => {
    expect(() => read(sampleBitcoin(changes))).toThrow(says);
  });

  it('allows a node in the same private network in production if a setting accepts that risk', () => {
    const rpc_urls = ['http://10.0.0.5:8332', 'http://10.0.0.6:8332'];
    const problems = (changes: object) =>
      networkProblemsInProduction(read(sampleBitcoin({ rpc_urls, ...changes })));

    expect(problems({ plain_endpoint: 'accepted' })).toEqual([]);
    expect(problems({})).toHaveLength(2);
  });
});
