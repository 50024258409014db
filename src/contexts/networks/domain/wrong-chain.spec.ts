import { describe, expect, it } from '@jest/globals';
import { wrongChainError } from './wrong-chain.js';

const CHAIN = { chainId: 8453, genesisHash: '0xa' };
const ENDPOINT = { network: 'base', position: 1, name: 'rpc.example', fingerprint: 'f' };

describe('The chain that an endpoint serves', () => {
  it.each([
    ['the configured chain, not stored yet', null, CHAIN, undefined],
    ['the stored chain', { ...CHAIN, network: 'base' }, CHAIN, undefined],
    ['another chain than configured', null, { ...CHAIN, chainId: 1 }, 'configured to be on chain 8453, but'],
    ['the chain of another network', { ...CHAIN, network: 'other' }, CHAIN, 'Configure it as other.'],
    [
      'another genesis',
      { ...CHAIN, genesisHash: '0xb', network: 'base' },
      CHAIN,
      'belongs to chain 8453 with',
    ],
    ['another stored id', { ...CHAIN, chainId: 1, network: 'base' }, CHAIN, 'belongs to chain 1 with'],
  ])('is compared with the configured and the stored one: %s', (_, stored, found, sentence) => {
    const error = wrongChainError({ network: 'base', chainId: 8453 }, ENDPOINT, stored, found, String);

    expect(error?.message).toEqual(sentence && expect.stringContaining(sentence));
    expect(error?.endpointName).toBe(sentence && 'endpoint 2 (rpc.example)');
  });
});
