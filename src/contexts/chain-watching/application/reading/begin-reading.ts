import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { Chains } from '#contexts/networks/contract/chains.js';
import { type ChainHead, ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { WatchedChain } from '../../domain/watched-chain.js';
import { ValidatedBlockTimes } from './validated-block-times.js';

/** Distance below finality, so that a reorganisation right after the first iteration still has a common ancestor. */
const BEGIN_BELOW_FINALITY = 256;

@Injectable()
export class BeginReading {
  constructor(
    private readonly chains: Chains,
    private readonly catalogue: NetworkCatalogue,
    private readonly times: ValidatedBlockTimes,
    private readonly chain: WatchedChain,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** @throws ChainUnavailable also if the node reports no final block, or if the timestamp of the first block is impossible */
  async begin(network: string, { head, finalNumber }: ChainHead, epoch: bigint): Promise<void> {
    const { finality, pendingGraceSeconds } = this.catalogue.network(network)!;
    if (finality.kind !== 'confirmations' && finalNumber === null && head.number > BEGIN_BELOW_FINALITY)
      throw new ChainUnavailable(
        network,
        `it reports no finalized block below its head ${head.number}, so the watcher cannot choose a starting block.`,
      );
    const number = Math.max(0, (finalNumber ?? 0) - BEGIN_BELOW_FINALITY);
    const first = await this.chains.of(network).reader.block(number);
    if (first === null) throw new ChainUnavailable(network, 'it does not return a block below its own head.');
    await this.times.validate(network, null, [{ header: first }]);
    // No address of the network was displayed before, so no earlier transfer can be pending.
    const pendingReadAt = pendingGraceSeconds === undefined ? null : await this.clock.now();
    await this.unitOfWork.run(() => this.chain.begin(network, first, pendingReadAt, epoch));
  }
}
