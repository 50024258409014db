import { describe, expect, it } from '@jest/globals';
import {
  finalBlockByConfirmations,
  requiredConfirmations,
  finalityTagPollIntervalMs,
} from '../../contract/finality-depth.js';
import { findNetworkRisks } from '../../domain/network-configuration.js';
import { OUTPUT_SETTINGS } from '../../testing/output-chain-type.js';
import { sampleNetwork } from '../../testing/sample-configuration.js';
import { EVM_CONFIGURATION_SCHEMA } from '#chains/evm/evm-configuration.js';
import { parseNetworksConfiguration } from './parse-networks-configuration.js';

const COIN = { token: 'OUT', symbol: 'OUT', name: 'Output Coin', decimals: 8, minimum_amount: '0.00000001' };
const output = (changes: object = {}, asset: object = {}) => ({
  network: 'output',
  name: 'Output',
  family: 'output',
  chain: 'main',
  rpc_urls: ['http://127.0.0.1:1'],
  assets: [{ ...COIN, ...asset }],
  ...changes,
});
const read = (...networks: object[]) =>
  parseNetworksConfiguration(networks, [EVM_CONFIGURATION_SCHEMA, OUTPUT_SETTINGS]);
const table = (...rows: object[]) => ({ confirmations_by_amount: rows });
const SMALL = { up_to: '0.5', confirmations: 2 };
const LARGE = { confirmations: 4 };

describe('A network of a chain type with pending transfers', () => {
  it('counts as a repetition of a chain only within the same chain type', () => {
    const other = sampleNetwork({ chain_id: 1 });

    expect(read(other, output())).toHaveLength(2);
    expect(() => read(other, output(), output({ network: 'again' }))).toThrow(
      'networks[2].chain: repeats networks[1].chain',
    );
  });
});

describe('The newest final block', () => {
  it('counts its own block as the first confirmation', () => {
    expect([1, 10, 11, 12].map((confirmations) => finalBlockByConfirmations(10, confirmations))).toEqual([
      ...[10, 1, 0, null],
    ]);
  });

  it('is requested four times in the usual time of finality, at least every 15 seconds', () => {
    const interval = (typicalConfirmations: number) =>
      finalityTagPollIntervalMs({ kind: 'finalized', typicalConfirmations }, 2_000);

    expect([interval(2), interval(30), interval(31)]).toEqual([1_000, 15_000, 15_000]);
  });
});

describe('The depth of a transfer', () => {
  const depthsOf = (network: ReturnType<typeof read>[number]) =>
    [50_000_000n, 50_000_001n, null].map((amount) =>
      requiredConfirmations(network, network.assets[0]!, amount),
    );

  it('is that of the first row whose bound is not below the amount; the least is the finality of the network', () => {
    const [network] = read(output({}, table(SMALL, LARGE)));

    expect(depthsOf(network!)).toEqual([2, 4, 4]);
    expect(network!.finality).toEqual({ kind: 'confirmations', confirmations: 2 });
  });

  it.each([
    ['that ends with a bound', [SMALL]],
    ['that has a row without a bound before another', [LARGE, { confirmations: 5 }]],
    ['whose amounts do not rise', [SMALL, { up_to: '0.5', confirmations: 3 }, LARGE]],
    ['whose confirmations do not rise', [SMALL, { confirmations: 2 }]],
  ])('is refused for a table of confirmations %s', (_, rows) => {
    expect(() => read(output({}, table(...rows)))).toThrow(
      'networks[0].assets[0].confirmations_by_amount: must be in ascending order of up_to and confirmations, and end with an entry without up_to',
    );
  });

  it.each([
    [{ confirmations: 3 }, 'must not begin with fewer confirmations than finality requires'],
    ['finalized', 'is allowed only if finality is a number of confirmations'],
  ])('is never below the finality of its network: %j', (finality, rule) => {
    expect(() => read(output({ finality }, table(SMALL, LARGE)))).toThrow(
      `networks[0].assets[0].confirmations_by_amount: ${rule}`,
    );
  });

  it('is a risk with one confirmation, unless a table requires more for larger amounts', () => {
    const single = { finality: { confirmations: 1 } };
    const risks = [output(), output(single), output({}, table({ confirmations: 1 }))].map((each) =>
      findNetworkRisks(read(each)[0]!).includes('single_confirmation'),
    );

    expect(risks).toEqual([false, true, true]);
  });
});
