import {
  ChainUnavailable,
  type BlockHeader,
  type ChainReader,
  type ReadBlock,
} from '#contexts/networks/contract/chain-reader.js';
import type { Block, WatchedChain } from '../../domain/watched-chain.js';

/**
 * A reorganisation is seen where the node has another block at a height that was read. A node that merely lags has the same
 * block. @param read the newest block that was read
 */
export async function isReorganised(
  chain: Pick<WatchedChain, 'block'>,
  network: string,
  read: Pick<Block, 'number' | 'hash'>,
  head: BlockHeader,
): Promise<boolean> {
  if (head.number > read.number) return false;
  const known = head.number === read.number ? read : await chain.block(network, head.number);
  return known !== null && known.hash !== head.hash;
}

/**
 * The next blocks up to the first that does not link to the one before.
 * @returns null where the first does not link to the block that was read last: the chain was reorganised
 */
export function linkedTo(
  read: Pick<BlockHeader, 'number' | 'hash'>,
  blocks: readonly ReadBlock[],
): readonly ReadBlock[] | null {
  const firstLoose = blocks.findIndex(
    ({ header }, position) =>
      header.number !== read.number + 1 + position ||
      header.parentHash !== (blocks[position - 1]?.header ?? read).hash,
  );
  if (firstLoose === 0) return null;
  return firstLoose < 0 ? blocks : blocks.slice(0, firstLoose);
}

/**
 * The newest block at `from` or below that was read and is still in the node's chain. Two chains are equal below the block
 * where they fork and differ above it, so the search goes down in doubling steps, then by halves: a chain without any
 * common block is recognised after some dozens of calls, however many blocks are kept.
 * @param known a block that both are known to have; null: none is known, and all kept blocks are searched
 * @throws ChainUnavailable, and Error where no kept block is in common; both report the node as doubtful
 */
export async function commonAncestor(
  chain: Pick<WatchedChain, 'block'>,
  reader: Pick<ChainReader, 'block' | 'doubt'>,
  network: string,
  from: number,
  known: Block | null,
): Promise<Block> {
  let found = known;
  let below = known?.number ?? -1;
  let above = from + 1;
  for (let halving = false; above - below > 1;) {
    const step = Math.max(1, from + 1 - above);
    const number = halving ? Math.floor((above + below) / 2) : Math.max(below + 1, above - step);
    const read = await chain.block(network, number);
    if (read !== null && (await blockAt(reader, network, number)).hash !== read.hash) above = number;
    else {
      halving = true;
      below = number;
      found = read ?? found;
    }
  }
  if (found !== null) return found;
  const sharesNone = `shares none of the ${from - below} blocks that were read last`;
  reader.doubt(network, `it ${sharesNone}.`);
  throw new Error(
    `${network} ${sharesNone}: it is a different chain, or the reorganization is deeper than the stored blocks. ` +
      'Nothing was changed, and the service has stopped reading this network.',
  );
}

/** @throws ChainUnavailable where the node lacks a block below its own head: the next turn reads another endpoint */
export async function blockAt(
  reader: Pick<ChainReader, 'block' | 'doubt'>,
  network: string,
  number: number,
): Promise<BlockHeader> {
  const block = await reader.block(network, number);
  if (block !== null) return block;
  const reason = `it does not know block ${number} below its own head.`;
  reader.doubt(network, reason);
  throw new ChainUnavailable(network, reason);
}
