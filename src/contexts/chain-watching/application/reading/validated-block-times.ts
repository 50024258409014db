import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { Chains } from '#contexts/networks/contract/chains.js';
import { ChainUnavailable, type BlockHeader } from '#contexts/networks/contract/chain-reader.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';

/** One block with a timestamp far in the future would permanently expire every open request of its network. */
@Injectable()
export class ValidatedBlockTimes {
  constructor(
    private readonly chains: Chains,
    private readonly catalogue: NetworkCatalogue,
    private readonly clock: Clock,
  ) {}

  /**
   * Timestamps may not be before the parent's or more than `maxLagSeconds` ahead of the clock. Old ones are allowed,
   * because the watcher may be catching up.
   */
  async validate<B extends { readonly header: BlockHeader }>(
    network: string,
    parentTime: Date | null,
    blocks: readonly B[],
  ): Promise<readonly B[]> {
    const [first] = blocks;
    if (first === undefined) return [];
    // Some chains have several blocks per second, so equal timestamps are valid.
    const disorder = blocks.findIndex(({ header }, at) => {
      const parent = at === 0 ? parentTime : blocks[at - 1]!.header.time;
      return parent !== null && header.time < parent;
    });
    if (disorder === 0)
      throw this.reportDoubtfulEndpoint(network, `block ${first.header.number} is earlier than its parent.`);
    const inOrder = disorder < 0 ? blocks : blocks.slice(0, disorder);
    const { maxLagSeconds } = this.catalogue.network(network)!;
    const now = (await this.clock.now()).getTime();
    const secondsAhead = ({ time }: BlockHeader) => (time.getTime() - now) / 1_000;
    const near = inOrder.filter(({ header }) => secondsAhead(header) <= maxLagSeconds);
    if (near.length > 0) return near;
    const ahead = Math.ceil(secondsAhead(first.header));
    const bound = `max_lag_seconds (${maxLagSeconds})`;
    throw this.reportDoubtfulEndpoint(
      network,
      `block ${first.header.number} is ${ahead} s ahead of the service’s clock; the limit is ${bound}.`,
    );
  }

  private reportDoubtfulEndpoint(network: string, reason: string): ChainUnavailable {
    this.chains.of(network).reader.reportDoubtfulAnswer(reason);
    return new ChainUnavailable(network, reason);
  }
}
