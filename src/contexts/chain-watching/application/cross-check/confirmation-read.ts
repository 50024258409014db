import { Injectable } from '@nestjs/common';
import { Chains } from '#contexts/networks/contract/chains.js';
import {
  ChainUnavailable,
  type ChainAnswers,
  type RangeContents,
} from '#contexts/networks/contract/chain-reader.js';
import type { Block } from '../../domain/cursor.js';
import { MatchIncomingTransfers } from '../reading/match-incoming-transfers.js';

export interface Reading extends RangeContents {
  /** Answers further questions about these blocks. */
  readonly by: ChainAnswers;
}

/**
 * Reads blocks from the second endpoint. If the second endpoint also provided the first reading of some of them, reads them from
 * the current endpoint as well. Endpoints can swap roles, and an endpoint that hides a transfer would hide it both times.
 */
@Injectable()
export class ConfirmationRead {
  constructor(
    private readonly chains: Chains,
    private readonly matchTransfers: MatchIncomingTransfers,
  ) {}

  /** @param blocks as read the first time, contiguous @throws ChainUnavailable */
  async read(network: string, blocks: readonly Block[]): Promise<Reading[]> {
    const [from, to] = [blocks[0]!.number, blocks.at(-1)!.number];
    const ours = this.matchTransfers.ownAddresses(network);
    const by = this.chains.of(network).secondEndpoint;
    const second = { ...(await by.contents(from, to, ours)), by };
    if (!by.isIndependent()) return [second];
    const fingerprint = by.fingerprint();
    if (fingerprint === null || !blocks.some(({ readBy }) => readBy === fingerprint)) return [second];
    return [second, await this.byReader(network, from, to, fingerprint)];
  }

  /** @returns also empty blocks: their hashes show whether the blocks link, which the reader does not report */
  private async byReader(network: string, from: number, to: number, second: string): Promise<Reading> {
    const ours = this.matchTransfers.ownAddresses(network);
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
