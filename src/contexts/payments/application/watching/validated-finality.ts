import { Injectable } from '@nestjs/common';
import { ChainReader, type BlockHeader } from '../../../networks/contract/chain-reader.js';
import { NetworkCatalogue } from '../../../networks/contract/network-catalogue.js';
import { WatchedChain } from '../../domain/watching/watched-chain.js';

/** What of a node's word on finality holds for the chain as we have read it. */
@Injectable()
export class ValidatedFinality {
  constructor(
    private readonly reader: ChainReader,
    private readonly catalogue: NetworkCatalogue,
    private readonly chain: WatchedChain,
  ) {}

  /**
   * The node's head may stand on another fork than ours until we have read up to it. Until then a number of
   * confirmations is counted from our own head, and a `finalized` block must be the one that we know.
   * @param finalNumber as the node says it of its `head`
   * @param readTo the newest block that we have read
   * @returns null while nothing more than before can be believed
   */
  async validate(
    network: string,
    finalNumber: number | null,
    head: BlockHeader,
    readTo: Pick<BlockHeader, 'number' | 'hash'>,
  ): Promise<number | null> {
    if (finalNumber === null || head.number < readTo.number || head.hash === readTo.hash) return finalNumber;
    const { finality } = this.catalogue.network(network)!;
    if (finality.kind === 'confirmations') {
      const number = Math.min(finalNumber, readTo.number - finality.confirmations + 1);
      return number < 0 ? null : number;
    }
    const known = await this.chain.block(network, finalNumber);
    if (known === null || known.number > readTo.number) return null;
    return (await this.reader.block(network, finalNumber))?.hash === known.hash ? finalNumber : null;
  }
}
