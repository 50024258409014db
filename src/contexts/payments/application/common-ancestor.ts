import { ChainUnavailable, type ChainReader } from '../../networks/contract/chain-reader.js';
import type { Block, WatchedChain } from '../domain/watched-chain.js';

/**
 * The newest block, at `from` or below, that we have read and that still stands in the node's chain.
 * @throws ChainUnavailable, and Error where nothing of what is kept is in common
 */
export async function commonAncestor(
  chain: WatchedChain,
  reader: ChainReader,
  network: string,
  from: number,
): Promise<Block> {
  for (let number = from; ; number -= 1) {
    const [known, actual] = await Promise.all([chain.block(network, number), reader.block(network, number)]);
    if (known === null) {
      throw new Error(
        `${network} shares no block with the ${from - number} that were read last: this is another chain, or a ` +
          'reorganisation deeper than the blocks that are kept. Nothing was changed; reading stands still.',
      );
    }
    if (actual === null)
      throw new ChainUnavailable(network, `it does not know block ${number} below its own head`);
    if (known.hash === actual.hash) return known;
  }
}
