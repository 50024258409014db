import type { ChainBlock } from './chain-block.js';
import type { MemoryChain } from './memory-chain.js';
import { quantity, receiptAnswer } from './node/answers.js';

export interface RecordedChain {
  readonly chainId: number;
  readonly accounts: readonly { readonly address: string; readonly balance: string; readonly code: string }[];
  readonly blocks: readonly RecordedBlock[];
  readonly left: readonly { readonly address: string; readonly balance: string; readonly nonce: string }[];
}

export interface RecordedBlock {
  readonly timestamp: string;
  readonly baseFee: string;
  readonly gasLimit: string;
  readonly miner: string;
  readonly transactions: readonly { readonly raw: string; readonly receipt: object }[];
}

export function recordChain(chain: MemoryChain): RecordedChain {
  const { head, chainId } = chain;
  const numbers = Array.from({ length: head.number + 1 }, (_, number) => number);
  const all = numbers.map((number) => chain.at(number)!);
  const blocks = all.filter(({ transactions }) => transactions.length > 0);
  const addresses = [...new Set(blocks.flatMap(addressesIn))];
  const [first] = all as [ChainBlock];
  return {
    chainId,
    accounts: addresses
      .filter((address) => first.state.has(address))
      .map((address) => accountAt(first, address)),
    blocks: blocks.map((block) => ({
      ...{ timestamp: quantity(block.time), baseFee: quantity(block.baseFee) },
      ...{ gasLimit: quantity(block.gasLimit), miner: block.miner },
      transactions: block.transactions.map((mined) => ({
        raw: mined.signed.raw,
        receipt: receiptAnswer(block, mined),
      })),
    })),
    left: addresses.map((address) => {
      const { balance, nonce } = accountAt(head, address);
      return { address, balance, nonce };
    }),
  };
}

function addressesIn({ transactions, miner }: ChainBlock): string[] {
  return [
    miner,
    ...transactions.flatMap(({ signed: { from, to }, created, moves }) => [
      ...[from, to, created].filter((address) => address !== null),
      ...moves.flatMap((move) => [move.from, move.to]),
    ]),
  ];
}

function accountAt({ state }: ChainBlock, address: string) {
  const { balance, nonce, code } = state.account(address);
  const hex = `0x${Buffer.from(code).toString('hex')}`;
  return { address, balance: quantity(balance), nonce: quantity(nonce), code: hex };
}
