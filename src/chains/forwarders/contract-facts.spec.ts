import { describe, expect, it } from '@jest/globals';
import type { Asset } from '#shared/kernel/asset.js';
import { type ContractFacts, FORWARDER_DERIVATION_SAMPLES, contractMismatches } from './contract-facts.js';
import { ForwarderDerivation } from './forwarder-derivation.js';

const OTHER = '0x2222222222222222222222222222222222222222';
const derivation = new ForwarderDerivation('0x413776C3cAd2f1BD80745EcAa988D1694B93eAA8', 31_337);
const asset: Asset = {
  uniqueAssetId: `nsandbox_t${OTHER}`,
  network: 'sandbox',
  token: OTHER,
  symbol: 'USDT',
  name: 'Test Dollar',
  decimals: 6,
  minimumAmount: 1n,
};
const probes = FORWARDER_DERIVATION_SAMPLES.map(({ terms, requestId }) =>
  derivation.addressOf(derivation.initCodeHash(terms), requestId),
);
const facts: ContractFacts = {
  implementation: derivation.implementation,
  probes,
  decimals: new Map([[OTHER, 6]]),
};

describe('Comparing a network with its contracts', () => {
  it.each<[string, Partial<ContractFacts>, RegExp]>([
    ['no factory', { implementation: null }, /no forwarder factory at 0x4137/],
    ['another implementation', { implementation: OTHER }, /has implementation 0x2222/],
    [
      'another address with a fee',
      { probes: [OTHER, probes[1] ?? ''] },
      /derives 0x2222.* where this service/,
    ],
    ['an address that it does not tell', { probes: [null, probes[1] ?? ''] }, /derives nothing where/],
    ['no token', { decimals: new Map() }, /USDT at 0x2222.* is not a token contract/],
    ['other decimals', { decimals: new Map([[OTHER, 18]]) }, /has 18 decimals, not the configured 6/],
  ])('finds a difference: %s', (_, changes, sentence) => {
    expect(contractMismatches(derivation, [asset], { ...facts, ...changes })).toEqual([
      expect.stringMatching(sentence),
    ]);
  });

  it('requires nothing of a native coin, which has no contract', () => {
    const coin: Asset = {
      ...asset,
      uniqueAssetId: 'nsandbox_tETH',
      token: 'ETH',
      symbol: 'ETH',
      decimals: 18,
    };

    expect(contractMismatches(derivation, [asset, coin], facts)).toEqual([]);
  });
});
