import {
  ChainUnavailable,
  type BlockHeader,
  type ChainReader,
} from '../../../networks/contract/chain-reader.js';
import type { Block, WatchedChain } from '../../domain/watching/watched-chain.js';

/**
 * The newest block, at `from` or below, that we have read and that still stands in the node's chain. By steps that
 * double, then by halves: of two chains that part somewhere all below is the same and all above is not. So another
 * chain altogether is told from ours by some dozens of questions, however many blocks are kept.
 * @param standing a block that is known to stand; null: none is, and all that is kept is looked at
 * @throws ChainUnavailable, and Error where nothing of what is kept is in common; the node is doubted by both
 */
export async function commonAncestor(
  chain: Pick<WatchedChain, 'block'>,
  reader: Pick<ChainReader, 'block' | 'doubt'>,
  network: string,
  from: number,
  standing: Block | null,
): Promise<Block> {
  let found = standing;
  let below = standing?.number ?? -1;
  let above = from + 1;
  for (let halving = false; above - below > 1;) {
    const step = Math.max(1, from + 1 - above);
    const number = halving ? Math.floor((above + below) / 2) : Math.max(below + 1, above - step);
    const known = await chain.block(network, number);
    if (known !== null && (await blockAt(reader, network, number)).hash !== known.hash) above = number;
    else {
      halving = true;
      below = number;
      found = known ?? found;
    }
  }
  if (found !== null) return found;
  const sharesNone = `shares no block with the ${from - below} that were read last`;
  reader.doubt(network, `it ${sharesNone}.`);
  throw new Error(
    `${network} ${sharesNone}: this is another chain, or a reorganisation deeper than the blocks that are kept. ` +
      'Nothing was changed; reading stands still.',
  );
}

/** @throws ChainUnavailable where the node lacks a block below its own head; another endpoint is read next */
export async function blockAt(
  reader: Pick<ChainReader, 'block' | 'doubt'>,
  network: string,
  number: number,
): Promise<BlockHeader> {
  const told = await reader.block(network, number);
  if (told !== null) return told;
  const reason = `it does not know block ${number} below its own head.`;
  reader.doubt(network, reason);
  throw new ChainUnavailable(network, reason);
}
