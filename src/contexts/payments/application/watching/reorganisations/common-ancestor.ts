import {
  ChainUnavailable,
  type BlockHeader,
  type ChainReader,
} from '#contexts/networks/contract/chain-reader.js';
import type { Block, WatchedChain } from '#contexts/payments/domain/watching/watched-chain.js';

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
  const sharesNone = `shares no block with the ${from - below} that were read last`;
  reader.doubt(network, `it ${sharesNone}.`);
  throw new Error(
    `${network} ${sharesNone}: this is another chain, or a reorganisation deeper than the blocks that are kept. ` +
      'Nothing was changed; reading is stopped.',
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
