import {
  ChainUnavailable,
  type BlockHeader,
  type ChainQueries,
} from '#contexts/networks/contract/chain-reader.js';
import type { Transfer } from '../../contract/incoming-transfer.js';
import type { Block } from '../../domain/cursor.js';

const CONCURRENT_BLOCK_QUERIES = 8;

type ComparedBlockHeader = Pick<Block, 'number' | 'hash' | 'time'>;

export function describeBlockMismatch(
  { number, hash, time }: ComparedBlockHeader,
  theirs: BlockHeader,
): string | null {
  const other = `another endpoint has block ${theirs.hash} at height ${theirs.number}`;
  if (theirs.number !== number) return `${other}, on another fork.`;
  if (theirs.hash !== hash) return `${other}, where ${hash} was read.`;
  if (theirs.time.getTime() === time.getTime()) return null;
  return `${other} with time ${theirs.time.toISOString()}, where ${time.toISOString()} was read.`;
}

/**
 * Block timestamps decide whether a payment was in time, and equal hashes do not prove them: the service does not
 * recompute hashes.
 */
export async function describeTransferBlockMismatch(
  transfers: readonly Transfer[],
  network: string,
  by: ChainQueries,
): Promise<string | null> {
  const blocks = [
    ...new Map(transfers.map((transfer) => [transfer.blockNumber, toBlockHeader(transfer)])).values(),
  ];
  for (let at = 0; at < blocks.length; at += CONCURRENT_BLOCK_QUERIES) {
    const some = blocks.slice(at, at + CONCURRENT_BLOCK_QUERIES);
    const theirs = await Promise.all(some.map(({ number }) => by.blockHeader(number)));
    for (const [i, block] of some.entries()) {
      const their = theirs[i];
      if (!their) throw new ChainUnavailable(network, `it does not know block ${block.number}.`);
      const other = describeBlockMismatch(block, their);
      if (other !== null) return other;
    }
  }
  return null;
}

function toBlockHeader({ blockNumber, blockHash, blockTime }: Transfer): ComparedBlockHeader {
  return { number: blockNumber, hash: blockHash, time: blockTime };
}
