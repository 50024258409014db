import {
  ChainUnavailable,
  type BlockHeader,
  type ChainAnswers,
} from '#contexts/networks/contract/chain-reader.js';
import type { Transfer } from '../../contract/incoming-transfer.js';
import type { Block } from '../../domain/cursor.js';

const AT_ONCE = 8;

type ReadBlock = Pick<Block, 'number' | 'hash' | 'time'>;

/** Describes how the second endpoint's block differs from the block read. Null if both have the same hash and time. */
export function blockMismatch({ number, hash, time }: ReadBlock, theirs: BlockHeader): string | null {
  const other = `another endpoint has block ${theirs.hash} at height ${theirs.number}`;
  if (theirs.number !== number) return `${other}, on another fork.`;
  if (theirs.hash !== hash) return `${other}, where ${hash} was read.`;
  if (theirs.time.getTime() === time.getTime()) return null;
  return `${other} with time ${theirs.time.toISOString()}, where ${time.toISOString()} was read.`;
}

/**
 * Compares the blocks of these transfers with the same blocks at another endpoint. Block timestamps decide whether
 * a payment was in time, and equal hashes prove no timestamp, because the service does not recompute hashes.
 * @throws ChainUnavailable also if the endpoint does not have one of the blocks
 */
export async function blockMismatchOf(
  transfers: readonly Transfer[],
  network: string,
  by: ChainAnswers,
): Promise<string | null> {
  const blocks = [
    ...new Map(transfers.map((transfer) => [transfer.blockNumber, blockOf(transfer)])).values(),
  ];
  for (let at = 0; at < blocks.length; at += AT_ONCE) {
    const some = blocks.slice(at, at + AT_ONCE);
    const theirs = await Promise.all(some.map(({ number }) => by.block(number)));
    for (const [i, block] of some.entries()) {
      const their = theirs[i];
      if (!their) throw new ChainUnavailable(network, `it does not know block ${block.number}.`);
      const other = blockMismatch(block, their);
      if (other !== null) return other;
    }
  }
  return null;
}

function blockOf({ blockNumber, blockHash, blockTime }: Transfer): ReadBlock {
  return { number: blockNumber, hash: blockHash, time: blockTime };
}
