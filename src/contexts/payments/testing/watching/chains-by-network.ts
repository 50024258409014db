import {
  ChainReader,
  ChainUnavailable,
  SecondEndpoint,
  type BlockHeader,
  type ChainTransfer,
  type ContentsAt,
  type ReadBlock,
} from '#contexts/networks/contract/chain-reader.js';
import type { ChainModel } from './chain-model.js';

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

  blocks(network: string, from: number, to: number): Promise<ReadBlock[]> {
    return this.chains.get(network)!.blocks(network, from, to);
  }

  succeeded(network: string, blockHash: string, hashes: readonly string[]): Promise<ReadonlySet<string>> {
    return this.chains.get(network)!.succeeded(network, blockHash, hashes);
  }

  balances(network: string, blockHash: string, addresses: readonly string[]): Promise<bigint[]> {
    return this.chains.get(network)!.balances(network, blockHash, addresses);
  }

  tokenBalances(network: string, blockHash: string, token: string, addresses: readonly string[]) {
    return this.chains.get(network)!.tokenBalances(network, blockHash, token, addresses);
  }

  holds(network: string, blockHash: string, transfers: readonly ChainTransfer[]): Promise<boolean[]> {
    return this.chains.get(network)!.holds(network, blockHash, transfers);
  }

  doubt(network: string, reason: string): void {
    this.chains.get(network)!.doubt(network, reason);
  }
}

/** A second endpoint of each network: the same one asked again, unless a test puts another in its place. */
export class SecondEndpointModel extends SecondEndpoint {
  readonly others = new Map<string, ChainModel>();
  /** A second endpoint is configured for every network, but none is well. */
  isAway = false;
  /** It has been away for a moment only, so that the first is not believed alone. */
  isMissed = false;
  skips: (transfer: ChainTransfer) => boolean = () => false;

  constructor(private readonly chains: ReadonlyMap<string, ChainModel>) {
    super();
  }

  isIndependent(network: string): boolean {
    if (this.isMissed) throw new ChainUnavailable(network, 'no second endpoint is healthy');
    return this.others.has(network) && !this.isAway;
  }

  isAlone(network: string): boolean {
    return !this.others.has(network) && !this.isAway;
  }

  fingerprint(network: string): string | null {
    return this.model(network).readBy ?? null;
  }

  async finalNumber(network: string): Promise<number | null> {
    return (await this.model(network).head()).finalNumber;
  }

  block(network: string, number: number): Promise<BlockHeader | null> {
    return this.model(network).block(network, number);
  }

  async contents(
    network: string,
    from: number,
    to: number,
  ): Promise<{ last: BlockHeader; contents: ContentsAt[] }> {
    const blocks = await this.model(network).blocks(network, from, to);
    const last = blocks.at(-1)?.header;
    if (last?.number !== to) throw new ChainUnavailable(network, `it does not have block ${to}`);
    const contents = blocks
      .map(({ header, transfers, payouts }) => ({
        number: header.number,
        hash: header.hash,
        transfers: transfers.filter((transfer) => !this.skips(transfer)),
        payouts,
      }))
      .filter(({ transfers, payouts }) => transfers.length + payouts.length > 0);
    return { last, contents };
  }

  succeeded(network: string, blockHash: string, hashes: readonly string[]): Promise<ReadonlySet<string>> {
    return this.model(network).succeeded(network, blockHash, hashes);
  }

  balances(network: string, blockHash: string, addresses: readonly string[]): Promise<bigint[]> {
    return this.model(network).balances(network, blockHash, addresses);
  }

  tokenBalances(network: string, blockHash: string, token: string, addresses: readonly string[]) {
    return this.model(network).tokenBalances(network, blockHash, token, addresses);
  }

  holds(network: string, blockHash: string, transfers: readonly ChainTransfer[]): Promise<boolean[]> {
    return this.model(network).holds(network, blockHash, transfers);
  }

  private model(network: string): ChainModel {
    if (this.isMissed) throw new ChainUnavailable(network, 'no second endpoint is healthy');
    return this.others.get(network) ?? this.chains.get(network)!;
  }
}
