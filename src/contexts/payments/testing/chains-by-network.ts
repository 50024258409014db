import { ChainReader, type BlockHeader, type TokenTransfer } from '../../networks/contract/chain-reader.js';
import type { ChainModel } from './chain-model.js';

/** Several little chains, each asked by its network's name. */
export class ChainsByNetwork extends ChainReader {
  constructor(private readonly chains: ReadonlyMap<string, ChainModel>) {
    super();
  }

  head(network: string): Promise<{ head: BlockHeader; finalNumber: number | null }> {
    return this.chains.get(network)!.head();
  }

  block(network: string, number: number): Promise<BlockHeader | null> {
    return this.chains.get(network)!.block(network, number);
  }

  transfers(network: string, blockHash: string): Promise<TokenTransfer[]> {
    return this.chains.get(network)!.transfers(network, blockHash);
  }
}
