import { beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '#shared/kernel/ids.js';
import { ChainTypes } from '../application/chain-types.js';
import { ChainUnavailable } from '../contract/chain-reader.js';
import { MemoryChain } from '../testing/memory-chain.js';
import {
  MEMORY_ACCOUNT,
  MEMORY_CONFIGURATION,
  MEMORY_NETWORK,
  MemoryChainType,
} from '../testing/memory-chain-type.js';
import { OutputChain } from '../testing/output-chain.js';
import {
  OUTPUT_COIN,
  OUTPUT_CONFIGURATION,
  OUTPUT_NETWORK,
  OutputChainType,
} from '../testing/output-chain-type.js';
import { DepositAddressesByChainType, payoutAddressesByChainType } from './contracts-by-chain-type.js';

const OTHER = 'other';
const TERMS = { settlementAddress: 'rMERCHANT', feeRecipient: 'rSERVICE', feeBasisPoints: 100 };

/** Another chain type than the memory one, whose chain has other blocks and other accounts. */
class OtherChainType extends MemoryChainType {
  override readonly name = 'other' as 'memory';
  override readonly payoutAddresses = {
    read: () => 'an account of the other family',
    readTerms: () => 'terms of the other family',
    takesFee: () => false,
    nobody: () => '-',
  };
  override readonly depositAddresses = {
    derive: () => ({ address: 'rOTHER', derivation: {} }),
    transferUri: () => null,
  } as unknown as MemoryChainType['depositAddresses'];
}

let chains: { memory: MemoryChain; other: MemoryChain };
let chainTypes: ChainTypes;

beforeEach(() => {
  const begin = new Date('2030-01-01T00:00:00Z');
  chains = { memory: new MemoryChain('MEM', begin), other: new MemoryChain('OTH', begin) };
  chains.memory.mine({ from: 'rPAYER', to: MEMORY_ACCOUNT, memo: '42', amount: 7n });
  for (let i = 0; i < 9; i += 1) chains.other.mine();
  const configurations = [
    MEMORY_CONFIGURATION,
    { ...MEMORY_CONFIGURATION, network: OTHER, family: 'other', chainId: 2 },
  ];
  chainTypes = new ChainTypes(configurations, [
    new MemoryChainType(chains.memory),
    new OtherChainType(chains.other),
  ]);
});

describe('A call for a network', () => {
  it('is answered by the family of that network', async () => {
    const numbers = async (network: string) => {
      const { reader, secondEndpoint } = chainTypes.of(network);
      return [
        (await reader.head()).head.number,
        (await secondEndpoint.contents(0, 1)).contents.length,
        await secondEndpoint.finalNumber(),
      ];
    };

    expect(await numbers(MEMORY_NETWORK)).toEqual([1, 1, null]);
    expect(await numbers(OTHER)).toEqual([9, 0, 7]);
    expect(await chainTypes.of(MEMORY_NETWORK).lookup.find('TX-1')).toMatchObject({
      blockNumber: 1,
    });
    expect(await chainTypes.of(OTHER).lookup.find('TX-1')).toBe('unknown');
  });

  it('derives and reads addresses by the family of that network', () => {
    const addresses = new DepositAddressesByChainType(chainTypes);
    const payouts = payoutAddressesByChainType(chainTypes);

    expect(addresses.derive(MEMORY_NETWORK, TERMS, { requestId: newId() }).address).toBe(MEMORY_ACCOUNT);
    expect(addresses.derive(OTHER, TERMS, { requestId: newId() }).address).toBe('rOTHER');
    expect(payouts.read(MEMORY_NETWORK, 'address', 'rMERCHANT')).toBe('rMERCHANT');
    expect(payouts.read(OTHER, 'address', 'rMERCHANT')).toBe('an account of the other family');
    expect([payouts.nobody(MEMORY_NETWORK), payouts.nobody(OTHER)]).toEqual(['', '-']);
    expect(payouts.readTerms(OTHER, 'address', 'rMERCHANT')).toBe('terms of the other family');
    expect([payouts.takesFee(MEMORY_NETWORK), payouts.takesFee(OTHER)]).toEqual([true, false]);
  });

  it('has numbered addresses and pending transfers only if the chain type has them', async () => {
    const chain = new OutputChain(OUTPUT_COIN.token, Date.parse('2030-01-01T00:00:00Z'));
    const both = new ChainTypes(
      [MEMORY_CONFIGURATION, OUTPUT_CONFIGURATION],
      [new MemoryChainType(chains.memory), new OutputChainType(chain)],
    );
    const addresses = new DepositAddressesByChainType(both);

    expect(both.of(MEMORY_NETWORK).pending).toBeUndefined();
    expect(both.of(OUTPUT_NETWORK).pending).toBeDefined();
    expect([MEMORY_NETWORK, OUTPUT_NETWORK, 'erc20'].map((each) => addresses.numbering(each, TERMS))).toEqual(
      [null, 'rMERCHANT', null],
    );
  });
});

describe('A call for a network that is not configured', () => {
  it('is refused', () => {
    expect(() => chainTypes.of('erc20')).toThrow(ChainUnavailable);
  });
});
