import { Injectable } from '@nestjs/common';
import {
  ChainUnavailable,
  type ChainAnswers,
  ChainReader,
  SecondEndpoint,
  type RangeContents,
} from '#contexts/networks/contract/chain-reader.js';
import { MatchArrivals } from '../reading/match-arrivals.js';

/** Reads blocks by another endpoint than the one that has answered them first, where there is one. */
@Injectable()
export class SecondReading {
  constructor(
    private readonly reader: ChainReader,
    private readonly secondEndpoint: SecondEndpoint,
    private readonly matchArrivals: MatchArrivals,
  ) {}

  /**
   * @param readFrom the endpoint of the first reading, as `ReadBlock.readFrom`; null where it is not known
   * @returns the contents, and what answered them, for questions about the same blocks
   * @throws ChainUnavailable
   */
  async execute(
    network: string,
    from: number,
    to: number,
    readFrom: string | null,
  ): Promise<RangeContents & { readonly answers: ChainAnswers }> {
    const ours = this.matchArrivals.ownAddresses(network);
    if (!this.isBySecondEndpoint(network, readFrom)) {
      const answers = this.secondEndpoint;
      return { ...(await answers.contents(network, from, to, ours)), answers };
    }
    const blocks = await this.reader.blocks(network, from, to, to, ours);
    const last = blocks.at(-1)?.header;
    if (last?.number !== to) throw new ChainUnavailable(network, `it does not have block ${to}.`);
    if (blocks.some((block) => block.readFrom === readFrom))
      throw new ChainUnavailable(network, 'only the endpoint that has read the blocks first answers.');
    const contents = blocks.map(({ header: { number, hash }, ...rest }) => ({ ...rest, number, hash }));
    return { last, contents, answers: this.reader };
  }

  /** The endpoint that is read from now may be another one than when the blocks were read first. */
  private isBySecondEndpoint(network: string, readFrom: string | null): boolean {
    return (
      readFrom !== null &&
      this.secondEndpoint.isIndependent(network) &&
      this.secondEndpoint.name(network) === readFrom
    );
  }
}
