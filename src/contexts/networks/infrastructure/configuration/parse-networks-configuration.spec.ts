import { describe, expect, it } from '@jest/globals';
import { MEMORY_SETTINGS } from '../../testing/memory-chain-type.js';
import { SAMPLE_TOKEN, nativeAsset, sampleAsset, sampleNetwork } from '../../testing/sample-configuration.js';
import { EVM_CONFIGURATION } from '#chains/evm/evm-configuration.js';
import { parseNetworksConfiguration } from './parse-networks-configuration.js';

describe('Reading the configured networks', () => {
  it('reads a network with its assets', () => {
    const [network] = parseNetworksConfiguration([sampleNetwork({ factory: SAMPLE_TOKEN })]);

    expect(network).toEqual({
      network: 'sandbox',
      name: 'Sandbox',
      family: 'evm',
      hidesNativeTransfers: true,
      deliversDirectly: false,
      chainId: 31_337,
      settlement: { everySeconds: 300, maxGasSharePercent: 2, afterHours: 168, isPaused: false },
      rpcUrls: ['http://127.0.0.1:8545'],
      acceptedRisks: new Set(),
      finality: { kind: 'confirmations', confirmations: 3 },
      inclusionGraceSeconds: 60,
      blockSeconds: 12,
      maxLagSeconds: 300,
      browserWallets: { chainId: 31_337 },
      factory: SAMPLE_TOKEN,
      fees: { floor: 1_000_000n, ceiling: 500_000_000_000n },
      transferGas: 200_000n,
      signatureFactories: [],
      contracts: [
        '0x4e59b44847b379578588920cA78FbF26c0B4956C',
        SAMPLE_TOKEN,
        '0xa16E02E87b7454126E5E10d957A927A7F5B5d2be',
      ],
      assets: [
        {
          uniqueAssetId: `nsandbox_t${SAMPLE_TOKEN}`,
          network: 'sandbox',
          token: SAMPLE_TOKEN.toLowerCase(),
          symbol: 'USDT',
          name: 'Test Dollar',
          decimals: 6,
          minimumAmount: 10_000n,
        },
      ],
    });
  });

  it.each([
    [{ block_seconds: 15 }, 300],
    [{ block_seconds: 16 }, 320],
    [{ max_lag_seconds: 10 }, 10],
  ])('reads or derives the largest allowed lag: %j gives %i seconds', (changes, seconds) => {
    expect(parseNetworksConfiguration([sampleNetwork(changes)])[0]?.maxLagSeconds).toBe(seconds);
  });

  it('reads a native coin, named by its symbol', () => {
    const assets = [sampleAsset(), nativeAsset({ peg: undefined })].map((asset) =>
      JSON.parse(JSON.stringify(asset)),
    );

    const [network] = parseNetworksConfiguration([sampleNetwork({ network: 'erc20', assets })]);

    expect(network?.assets[1]).toEqual({
      uniqueAssetId: 'nerc20_tETH',
      network: 'erc20',
      token: 'ETH',
      symbol: 'ETH',
      name: 'Test Ether',
      decimals: 18,
      minimumAmount: 10n ** 15n,
    });
  });

  it('reads above which amount two endpoints must agree', () => {
    const rpc_urls = ['http://a', 'http://b'];
    const assets = [sampleAsset({ agreement_above: '2500.5' }), nativeAsset()];

    const [network] = parseNetworksConfiguration([sampleNetwork({ rpc_urls, assets })]);

    expect(network?.assets.map(({ crossCheckAbove: agreementAbove }) => agreementAbove)).toEqual([
      2_500_500_000n,
      undefined,
    ]);
    expect(network?.assets[1]).not.toHaveProperty('agreementAbove');
  });

  it.each([
    ['finalized', { kind: 'finalized', typicalConfirmations: 64 }],
    [
      { tag: 'finalized', typical_confirmations: 5 },
      { kind: 'finalized', typicalConfirmations: 5 },
    ],
    [{ confirmations: 12 }, { kind: 'confirmations', confirmations: 12 }],
  ])('reads finality by a tag or by confirmations: %j', (finality, expected) => {
    expect(parseNetworksConfiguration([sampleNetwork({ finality })])[0]?.finality).toEqual(expected);
  });
});

describe('Reading the network of another chain family', () => {
  const coin = { token: 'MEM', symbol: 'MEM', name: 'Memory Coin', decimals: 6, minimum_amount: '0.01' };
  const token = { ...coin, token: 'rISSUER', symbol: 'USDM' };
  const memory = (changes: object = {}) =>
    sampleNetwork({ family: 'memory', collector: 'rCOLLECTOR', assets: [coin, token], ...changes });
  const read = (network: object) =>
    parseNetworksConfiguration([network], [EVM_CONFIGURATION, MEMORY_SETTINGS]);

  it('takes its settings, its tokens and its native coin as that family writes them', () => {
    const [network] = read(memory());

    expect(network).toMatchObject({ family: 'memory', hidesNativeTransfers: false, contracts: [] });
    expect(network!.assets.map(({ uniqueAssetId }) => uniqueAssetId)).toEqual([
      'nsandbox_tMEM',
      'nsandbox_trISSUER',
    ]);
  });

  it.each([
    [memory({ factory: SAMPLE_TOKEN }), 'networks[0].factory: is not a known setting'],
    [memory({ assets: [sampleAsset()] }), 'networks[0].assets[0].token: must be an account'],
    [memory({ family: 'evm' }), 'networks[0].collector: is not a known setting'],
    [memory({ family: 'other' }), 'networks[0].family: must be "evm" or "memory"'],
    [sampleNetwork({ family: 'other' }), 'networks[0].family: must be "evm" or "memory"'],
    [sampleNetwork({ family: null }), 'networks[0].family: must be "evm" or "memory"'],
  ])('refuses a setting of another family: %j', (network, sentence) => {
    expect(() => read(network)).toThrow(sentence);
  });
});
