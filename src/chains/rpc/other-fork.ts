import { type BlockHeader, ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import { EndpointFailure } from './rpc-failures.js';
import type { EndpointPool } from './endpoint-pool.js';

/** Thrown while an endpoint is asked, whose fault it may not be. */
export class BlockLacking extends ChainUnavailable {
  constructor(
    network: string,
    readonly number: number,
  ) {
    super(network, `it does not know block ${number}.`);
  }
}

/** How a chain type asks for the blocks by which two forks are told apart. */
export interface ForkQuestions {
  head(endpoint: Endpoint): Promise<BlockHeader>;
  block(endpoint: Endpoint, number: number): Promise<BlockHeader | null>;
}

/**
 * An endpoint that is merely behind, or has a gap, is of no use and is left alone for a while.
 * One that is behind on another fork contradicts the reader, and must go on being asked.
 * @returns its newest block, where the endpoint that is read from has another one there
 */
export async function otherFork(
  pool: EndpointPool,
  endpoint: Endpoint,
  lacking: BlockLacking,
  questions: ForkQuestions,
): Promise<BlockHeader> {
  const { network } = endpoint;
  const newest = await pool.asking(endpoint, () => questions.head(endpoint));
  const reading = pool.sameReading(network);
  if (newest.number < lacking.number && reading !== endpoint) {
    const there = await pool.asking(reading, () => questions.block(reading, newest.number));
    if (there === null) throw lacking;
    if (there.hash !== newest.hash) return newest;
  }
  const failure = new EndpointFailure(network, `it does not know block ${lacking.number}.`, 'malformed');
  pool.failed(endpoint, failure);
  throw failure;
}

/** These blocks, each the parent of the next. @param before the one before them, where it is known */
export function linked<T extends Pick<BlockHeader, 'hash' | 'parentHash'>>(
  { network }: Endpoint,
  from: number,
  blocks: readonly (T | null)[],
  before: Pick<BlockHeader, 'hash'> | null,
): T[] {
  let parent = before?.hash;
  return blocks.map((block, i) => {
    if (block === null) throw new BlockLacking(network, from + i);
    if (parent !== undefined && block.parentHash !== parent)
      throw new EndpointFailure(
        network,
        `block ${from + i} does not follow the block before it.`,
        'malformed',
      );
    parent = block.hash;
    return block;
  });
}
