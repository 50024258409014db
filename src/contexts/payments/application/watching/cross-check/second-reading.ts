import { Injectable } from '@nestjs/common';
import {
  ChainUnavailable,
  type ChainAnswers,
  ChainReader,
  SecondEndpoint,
  type RangeContents,
} from '#contexts/networks/contract/chain-reader.js';
import { MatchArrivals } from '../reading/match-arrivals.js';

/** Contents of blocks by an endpoint that has not read them first. */
export interface SecondContents extends RangeContents {
  /** Answers further questions about the same blocks by the same endpoint. */
  readonly answers: ChainAnswers;
  /** The other one of both: the endpoint that is read from now, or the second endpoint. */
  readonly other: ChainAnswers;
}

/** Reads blocks by another endpoint than the one that has answered them first, where there is one. */
@Injectable()
export class SecondReading {
  constructor(
    private readonly reader: ChainReader,
    private readonly secondEndpoint: SecondEndpoint,
    private readonly matchArrivals: MatchArrivals,
  ) {}

  /**
   * The endpoint that is read from now may be another one than when the blocks were read first.
   * @param readFrom the endpoint of the first reading, as `ReadBlock.readFrom`; null where it is not known
   * @throws ChainUnavailable
   */
  async execute(network: string, from: number, to: number, readFrom: string | null): Promise<SecondContents> {
    const { reader, secondEndpoint } = this;
    const wasSecond =
      readFrom !== null && secondEndpoint.isIndependent(network) && secondEndpoint.name(network) === readFrom;
    const [answers, other] = wasSecond ? [reader, secondEndpoint] : [secondEndpoint, reader];
    return { ...(await this.contentsBy(answers, network, from, to, readFrom)), answers, other };
  }

  /**
   * @param answers one of both, as in `SecondContents`
   * @param notBy the endpoint whose answer is of no use, as `ReadBlock.readFrom`: the reader may fall back to it
   * @throws ChainUnavailable
   */
  async contentsBy(
    answers: ChainAnswers,
    network: string,
    from: number,
    to: number,
    notBy: string | null,
  ): Promise<RangeContents> {
    const ours = this.matchArrivals.ownAddresses(network);
    if (answers === this.secondEndpoint) return this.secondEndpoint.contents(network, from, to, ours);
    const blocks = await this.reader.blocks(network, from, to, to, ours);
    const last = blocks.at(-1)?.header;
    if (last?.number !== to) throw new ChainUnavailable(network, `it does not have block ${to}.`);
    if (notBy !== null && blocks.some(({ readFrom }) => readFrom === notBy))
      throw new ChainUnavailable(network, 'only the endpoint that has read the blocks first answers.');
    const contents = blocks.map(({ header: { number, hash }, ...rest }) => ({ ...rest, number, hash }));
    return { last, contents };
  }
}
