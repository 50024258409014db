import { Injectable } from '@nestjs/common';
import { Chains } from '#contexts/networks/contract/chains.js';
import { type BlockHeader } from '#contexts/networks/contract/chain-reader.js';
import { finalByConfirmations } from '#contexts/networks/contract/finality-depth.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { WatchedChain } from '../../domain/watched-chain.js';

/** Decides which of the blocks that a node calls final are final on the chain that was read. */
@Injectable()
export class ValidatedFinality {
  constructor(
    private readonly chains: Chains,
    private readonly catalogue: NetworkCatalogue,
    private readonly chain: WatchedChain,
  ) {}

  /**
   * Counts confirmations from the newest block read, because a node's head may be on another fork or carry a false number. Until
   * the head is read, a `finalized` block must have the hash of the block read at its height.
   * @param finalNumber reported by the node together with `head`
   * @param readTo the newest block read
   * @returns null while no block is known to be final
   */
  async validate(
    network: string,
    finalNumber: number | null,
    head: BlockHeader,
    readTo: Pick<BlockHeader, 'number' | 'hash'>,
  ): Promise<number | null> {
    if (finalNumber === null || head.number < readTo.number) return finalNumber;
    const { finality } = this.catalogue.network(network)!;
    if (finality.kind === 'confirmations') {
      const byDepth = finalByConfirmations(readTo.number, finality.confirmations);
      return byDepth === null ? null : Math.min(finalNumber, byDepth);
    }
    if (head.hash === readTo.hash) return finalNumber;
    const known = await this.chain.block(network, finalNumber);
    if (known === null || known.number > readTo.number) return null;
    return (await this.chains.of(network).reader.block(finalNumber))?.hash === known.hash
      ? finalNumber
      : null;
  }
}
