import { beforeEach, describe, expect, it } from '@jest/globals';
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
import { ChainTypes } from './chain-types.js';

const BEGIN = new Date('2030-01-01T00:00:00Z');
const TERMS = { settlementAddress: 'wallet(MERCHANT)', feeRecipient: '', feeBasisPoints: 0 };
let chainTypes: ChainTypes;

beforeEach(() => {
  const chain = new MemoryChain('MEM', BEGIN);
  chain.mine({ from: 'rPAYER', to: MEMORY_ACCOUNT, memo: '42', amount: 7n });
  chainTypes = new ChainTypes(
    [MEMORY_CONFIGURATION, OUTPUT_CONFIGURATION],
    [new MemoryChainType(chain), new OutputChainType(new OutputChain(OUTPUT_COIN.token, BEGIN.getTime()))],
  );
});

describe('The chain of a network', () => {
  it('is of the chain type of that network, and the same for each caller', async () => {
    const [memory, output] = [chainTypes.of(MEMORY_NETWORK), chainTypes.of(OUTPUT_NETWORK)];

    expect((await memory.reader.head()).head.number).toBe(1);
    expect((await output.reader.head()).head.number).toBe(0);
    expect(await memory.lookup.find('TX-1')).toMatchObject({ blockNumber: 1 });
    expect([memory, output].map((each) => each.depositAddresses.sequenceName(TERMS))).toEqual([
      null,
      'wallet(MERCHANT)',
    ]);
    expect(chainTypes.of(MEMORY_NETWORK)).toBe(memory);
  });

  it('lacks what the chain type does not have', () => {
    const has = (network: string) => {
      const { pending, wallets } = chainTypes.of(network);
      return [pending !== undefined, wallets !== undefined];
    };

    expect([has(MEMORY_NETWORK), has(OUTPUT_NETWORK)]).toEqual([
      [false, false],
      [true, true],
    ]);
  });

  it('is unavailable if the network is not configured', () => {
    expect(chainTypes.find('erc20')).toBeUndefined();
    expect(() => chainTypes.of('erc20')).toThrow(ChainUnavailable);
  });
});
