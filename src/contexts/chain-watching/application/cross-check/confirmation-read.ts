import { Injectable } from '@nestjs/common';
import { Chains } from '#contexts/networks/contract/chains.js';
import {
  ChainUnavailable,
  type ChainQueries,
  type BlockRangeContents,
} from '#contexts/networks/contract/chain-reader.js';
import type { Block } from '../../domain/cursor.js';
import { MatchIncomingTransfers } from '../reading/match-incoming-transfers.js';

export interface ConfirmationReadResult extends BlockRangeContents {
  /** The endpoint that returned these blocks. */
  readonly by: ChainQueries;
}

/**
 * If the second endpoint also provided the first read, reads from the current endpoint as well: an endpoint that
 * hides a transfer would hide it both times.
 */
@Injectable()
export class ConfirmationRead {
  constructor(
    private readonly chains: Chains,
    private readonly matchTransfers: MatchIncomingTransfers,
  ) {}

  async read(network: string, blocks: readonly Block[]): Promise<ConfirmationReadResult[]> {
    const [from, to] = [blocks[0]!.number, blocks.at(-1)!.number];
    const ours = this.matchTransfers.ownAddressLookup(network);
    const by = this.chains.of(network).secondEndpoint;
    const second = { ...(await by.contentsOfBlockRange(from, to, ours)), by };
    if (!by.isIndependent()) return [second];
    const fingerprint = by.fingerprint();
    if (fingerprint === null || !blocks.some(({ readBy }) => readBy === fingerprint)) return [second];
    return [second, await this.readFromCurrentEndpoint(network, from, to, fingerprint)];
  }

  /** @returns all blocks, including empty ones, because the caller checks that their hashes link */
  private async readFromCurrentEndpoint(
    network: string,
    from: number,
    to: number,
    second: string,
  ): Promise<ConfirmationReadResult> {
    const ours = this.matchTransfers.ownAddressLookup(network);
    const by = this.chains.of(network).reader;
    const blocks = await by.blocks(from, to, to, ours);
    const last = blocks.at(-1)?.header;
    if (last?.number !== to)
      throw new ChainUnavailable(network, `the endpoint of the reader does not have block ${to}.`);
    if (blocks.some(({ readBy }) => readBy === second))
      throw new ChainUnavailable(
        network,
        'the only endpoint that responds is the one that read the blocks the first time.',
      );
    const contents = blocks.map(({ header: { number, hash }, ...rest }) => ({ ...rest, number, hash }));
    return { last, contents, by };
  }
}
