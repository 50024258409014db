import { describe, expect, it } from '@jest/globals';
import type { Asset } from '#shared/kernel/asset.js';
import { confirmationRequirementFor } from '../../contract/finality-depth.js';
import { MEMORY_SETTINGS } from '../../testing/memory-chain-type.js';
import { SAMPLE_TOKEN, nativeAsset, sampleAsset, sampleNetwork } from '../../testing/sample-configuration.js';
import { EVM_CONFIGURATION_SCHEMA } from '#chains/evm/evm-configuration.js';
import { parseNetworksConfiguration } from './parse-networks-configuration.js';

/** The implementation of a factory at the token's address. */
const IMPLEMENTATION = '0x2e12D6ff277F44e1dD99785Ba40fc3Bf261F180D';

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
      implementation: IMPLEMENTATION,
      fees: { floor: 1_000_000n, ceiling: 500_000_000_000n },
      transferGas: 200_000n,
      signatureFactories: [],
      contracts: ['0x4e59b44847b379578588920cA78FbF26c0B4956C', SAMPLE_TOKEN, IMPLEMENTATION],
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

  it('reads the implementation of a factory of an earlier release', () => {
    const implementation = '0xa16E02E87b7454126E5E10d957A927A7F5B5d2be';
    const [network] = parseNetworksConfiguration([sampleNetwork({ factory: SAMPLE_TOKEN, implementation })]);

    expect(network).toMatchObject({ factory: SAMPLE_TOKEN, implementation });
    expect(network!.contracts).toContain(implementation);
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

describe('A table of confirmations by amount', () => {
  const confirmations = [
    { up_to: '100', in: 'USD', require: 5 },
    { up_to: '1000.5', in: 'USD', require: 'safe', typical_confirmations: 90 },
    { require: 'finalized' },
  ];
  const finality = { tag: 'finalized', typical_confirmations: 600 };
  const assets = [sampleAsset({ peg: 'USD' }), nativeAsset()];
  const [network] = parseNetworksConfiguration([sampleNetwork({ finality, confirmations, assets })]);
  const [dollar, ether] = network!.assets as [Asset, Asset];

  it('applies in units of an asset that is pegged to its currency', () => {
    const requirements = [100_000_000n, 100_000_001n, 1_000_500_000n, 1_000_500_001n].map((amount) =>
      confirmationRequirementFor(network!, dollar, amount),
    );

    expect(requirements).toMatchObject([
      { confirmations: 5 },
      { confirmations: 90, tag: 'safe' },
      { confirmations: 90, tag: 'safe' },
      { confirmations: 600, tag: 'finalized' },
    ]);
    expect([network!.acceptedAfter, network!.finality.kind]).toEqual([5, 'finalized']);
  });

  it('applies to another asset by a locked rate, and at its strictest without a rate in its currency', () => {
    const amount = 40_000_000_000_000_000n;
    const rates = [
      { currency: 'USD', price: '2500' },
      { currency: 'USD', price: '2500.01' },
      { currency: 'EUR', price: '1' },
      undefined,
    ];

    const tags = rates.map((rate) => confirmationRequirementFor(network!, ether, amount, rate).tag);

    expect(tags).toEqual([undefined, 'safe', 'finalized', 'finalized']);
  });

  it('accepts all amounts after the same number of blocks if it has one entry', () => {
    const [uniform] = parseNetworksConfiguration([
      sampleNetwork({ finality, confirmations: [{ require: 7 }], assets }),
    ]);

    expect(uniform!.assets.map((asset) => confirmationRequirementFor(uniform!, asset, null))).toEqual([
      { confirmations: 7 },
      { confirmations: 7 },
    ]);
  });
});

describe('Reading the network of another chain family', () => {
  const coin = { token: 'MEM', symbol: 'MEM', name: 'Memory Coin', decimals: 6, minimum_amount: '0.01' };
  const token = { ...coin, token: 'rISSUER', symbol: 'USDM' };
  const memory = (changes: object = {}) =>
    sampleNetwork({ family: 'memory', collector: 'rCOLLECTOR', assets: [coin, token], ...changes });
  const read = (network: object) =>
    parseNetworksConfiguration([network], [EVM_CONFIGURATION_SCHEMA, MEMORY_SETTINGS]);

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
