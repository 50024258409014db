import {
  ChainUnavailable,
  type BlockHeader,
  type ChainReader,
  type FetchedBlock,
} from '#contexts/networks/contract/chain-reader.js';
import type { PostgresWatchedChains } from '../../infrastructure/persistence/postgres-watched-chains.js';
import type { Block } from '../../domain/cursor.js';

/** A node that only lags has the same block there. */
export async function isReorganized(
  chain: Pick<PostgresWatchedChains, 'block'>,
  network: string,
  read: Pick<Block, 'number' | 'hash'>,
  head: BlockHeader,
): Promise<boolean> {
  if (head.number > read.number) return false;
  const known = head.number === read.number ? read : await chain.block(network, head.number);
  return known !== null && known.hash !== head.hash;
}

/**
 * @returns null if the first block does not follow `read`: the chain was reorganized
 */
export function takeLinkedBlocks(
  read: Pick<BlockHeader, 'number' | 'hash'>,
  blocks: readonly FetchedBlock[],
): readonly FetchedBlock[] | null {
  const firstLoose = blocks.findIndex(
    ({ header }, position) =>
      header.number !== read.number + 1 + position ||
      header.parentHash !== (blocks[position - 1]?.header ?? read).hash,
  );
  if (firstLoose === 0) return null;
  return firstLoose < 0 ? blocks : blocks.slice(0, firstLoose);
}

/** The search goes down in doubling steps and then bisects. */
export async function findCommonAncestor(
  chain: Pick<PostgresWatchedChains, 'block'>,
  reader: Pick<ChainReader, 'blockHeader' | 'reportDoubtfulAnswer'>,
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
    if (read !== null && (await requireBlock(reader, network, number)).hash !== read.hash) above = number;
    else {
      halving = true;
      below = number;
      found = read ?? found;
    }
  }
  if (found !== null) return found;
  const sharesNone = `shares none of the ${from - below} blocks that were read last`;
  reader.reportDoubtfulAnswer(`it ${sharesNone}.`);
  throw new Error(
    `${network} ${sharesNone}: it is a different chain, or the reorganization is deeper than the stored blocks. ` +
      'Nothing was changed, and the service has stopped reading this network.',
  );
}

/**
 * @throws ChainUnavailable if the node lacks a block below its own head: the next iteration reads from another
 * endpoint
 */
export async function requireBlock(
  reader: Pick<ChainReader, 'blockHeader' | 'reportDoubtfulAnswer'>,
  network: string,
  number: number,
): Promise<BlockHeader> {
  const block = await reader.blockHeader(number);
  if (block !== null) return block;
  const reason = `it does not know block ${number} below its own head.`;
  reader.reportDoubtfulAnswer(reason);
  throw new ChainUnavailable(network, reason);
}
