import { Injectable } from '@nestjs/common';
import { Clock } from '../../../../shared/kernel/clock.js';
import { ChainReader, ChainUnavailable, type BlockHeader } from '../../../networks/contract/chain-reader.js';
import { NetworkCatalogue } from '../../../networks/contract/network-catalogue.js';

/**
 * Which blocks have a time that they can have. Requests expire by the time of the blocks read, which never goes back:
 * one block of a far future would end every open request of its network for good.
 */
@Injectable()
export class ValidatedBlockTimes {
  /** What the clock said last. Now it is at least as late, so that it need not be asked about each block. */
  private clockAtLeast = -Infinity;

  constructor(
    private readonly reader: ChainReader,
    private readonly catalogue: NetworkCatalogue,
    private readonly clock: Clock,
  ) {}

  /**
   * The blocks before the first one that is earlier than its parent, or further ahead of our clock than
   * `maxLagSeconds`: the bound by which a head that lies behind the clock counts as known serves in both directions.
   * Any time in the past will do, as while catching up.
   * @param parentTime of the block before them; null where it is not known
   * @throws ChainUnavailable where not even the first is believed: another endpoint is read next, where one is well
   */
  async validate<B extends { readonly header: BlockHeader }>(
    network: string,
    parentTime: Date | null,
    blocks: readonly B[],
  ): Promise<readonly B[]> {
    const [first] = blocks;
    if (first === undefined) return [];
    // Some chains have several blocks a second: equal times are in order.
    const disorder = blocks.findIndex(({ header }, at) => {
      const parent = at === 0 ? parentTime : blocks[at - 1]!.header.time;
      return parent !== null && header.time < parent;
    });
    if (disorder === 0)
      throw this.doubtful(network, `block ${first.header.number} is earlier than its parent.`);
    const inOrder = disorder < 0 ? blocks : blocks.slice(0, disorder);
    const { maxLagSeconds } = this.catalogue.network(network)!;
    const isNear = ({ header }: B) => this.secondsAhead(header) <= maxLagSeconds;
    if (!isNear(inOrder.at(-1)!)) this.clockAtLeast = (await this.clock.now()).getTime();
    const near = inOrder.filter(isNear);
    if (near.length > 0) return near;
    const ahead = Math.ceil(this.secondsAhead(first.header));
    const bound = `max_lag_seconds (${maxLagSeconds})`;
    throw this.doubtful(
      network,
      `block ${first.header.number} is ${ahead} s ahead of our clock, more than ${bound}.`,
    );
  }

  private secondsAhead({ time }: BlockHeader): number {
    return (time.getTime() - this.clockAtLeast) / 1_000;
  }

  private doubtful(network: string, reason: string): ChainUnavailable {
    this.reader.doubt(network, reason);
    return new ChainUnavailable(network, reason);
  }
}
