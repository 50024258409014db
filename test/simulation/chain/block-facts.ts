import { toEventSelector } from 'viem';
import type { SettledFact, TransferFact } from '../facts/fact.js';
import type { ChainBlock, MinedTransaction } from './chain-block.js';
import type { EvmLog } from './machine.js';

const TRANSFER = toEventSelector('Transfer(address,address,uint256)');
const SETTLED = toEventSelector('Settled(address,address,uint256,uint256)');
const NO_TOKEN = `0x${'00'.repeat(20)}`;
const ADDRESS_WORD = `0x${'0'.repeat(24)}`;

/** The transfers of a block. Addresses are in lower case, and a transfer of nothing is left out. */
export function transfersOf({ transactions }: ChainBlock): TransferFact[] {
  return transactions.filter(({ failure }) => failure === null).flatMap(movedBy);
}

/** @param factory whose events count: anyone can write some that look like them */
export function settledIn({ transactions }: ChainBlock, factory: string): SettledFact[] {
  return transactions.flatMap(({ signed, logs }) =>
    logs
      .filter(({ address, topics }) => address === factory.toLowerCase() && topics[0] === SETTLED)
      .map(({ data }) => {
        const [forwarder, token, toSettlement, toFee] = wordsOf(data) as [string, string, string, string];
        const contract = addressIn(token);
        return {
          forwarder: addressIn(forwarder),
          token: contract === NO_TOKEN ? null : contract,
          toSettlement: amountIn(toSettlement),
          toFee: amountIn(toFee),
          transactionHash: signed.hash,
        };
      }),
  );
}

function movedBy({ signed, logs, firstLog, moves, created }: MinedTransaction): TransferFact[] {
  const transactionHash = signed.hash;
  const to = signed.to ?? created;
  const coin = { token: null, transactionHash };
  const value = {
    ...coin,
    way: 'call' as const,
    from: signed.from,
    to: to!,
    amount: String(signed.value),
    index: 0,
  };
  return [
    ...(signed.value > 0n ? [value] : []),
    ...moves.map((move, index) => ({
      ...coin,
      ...move,
      way: 'inner' as const,
      amount: String(move.amount),
      index,
    })),
    ...logs.flatMap((log, at) => {
      const transfer = transferIn(log);
      return transfer === null ? [] : [{ ...transfer, transactionHash, index: firstLog + at }];
    }),
  ];
}

/** @returns null for what is no transfer of an amount: ERC-721 indexes a third argument */
function transferIn({ address, topics, data }: EvmLog) {
  const [event, from, to] = topics;
  if (event !== TRANSFER || topics.length !== 3 || data.length !== 66 || BigInt(data) === 0n) return null;
  if (!from!.startsWith(ADDRESS_WORD) || !to!.startsWith(ADDRESS_WORD)) return null;
  return {
    way: 'log' as const,
    token: address,
    from: addressIn(from!),
    to: addressIn(to!),
    amount: amountIn(data),
  };
}

function wordsOf(data: string): string[] {
  return data
    .slice(2)
    .match(/.{64}/g)!
    .map((word) => `0x${word}`);
}

function addressIn(word: string): string {
  return `0x${word.slice(26)}`;
}

function amountIn(word: string): string {
  return String(BigInt(word));
}
