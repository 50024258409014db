import { type BlockHeader, ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import { EndpointFailure } from './rpc-failures.js';
import type { EndpointPool } from './endpoint-pool.js';

/** Thrown when an endpoint lacks a block, which may not be that endpoint's fault. */
export class BlockMissingAtEndpoint extends ChainUnavailable {
  constructor(
    network: string,
    readonly number: number,
  ) {
    super(network, `it does not know block ${number}.`);
  }
}

export interface ForkQueries {
  head(endpoint: Endpoint): Promise<BlockHeader>;
  block(endpoint: Endpoint, number: number): Promise<BlockHeader | null>;
}

/** A lagging endpoint on another fork is not paused, because it contradicts the reader. */
export async function findOtherFork(
  pool: EndpointPool,
  endpoint: Endpoint,
  lacking: BlockMissingAtEndpoint,
  questions: ForkQueries,
): Promise<BlockHeader> {
  const { network } = endpoint;
  const newest = await pool.asking(endpoint, () => questions.head(endpoint));
  const reading = pool.currentReadingEndpoint(network);
  if (newest.number < lacking.number && reading !== endpoint) {
    const there = await pool.asking(reading, () => questions.block(reading, newest.number));
    if (there === null) throw lacking;
    if (there.hash !== newest.hash) return newest;
  }
  const failure = new EndpointFailure(network, `it does not know block ${lacking.number}.`, 'malformed');
  pool.recordFailure(endpoint, failure);
  throw failure;
}

export function requireLinked<T extends Pick<BlockHeader, 'hash' | 'parentHash'>>(
  { network }: Endpoint,
  from: number,
  blocks: readonly (T | null)[],
  before: Pick<BlockHeader, 'hash'> | null,
): T[] {
  let parent = before?.hash;
  return blocks.map((block, i) => {
    if (block === null) throw new BlockMissingAtEndpoint(network, from + i);
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
