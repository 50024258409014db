import {
  ChainAnswers,
  ChainUnavailable,
  type BlockHeader,
  type ChainReader,
  type ChainTransfer,
  type ContentsAt,
  type SecondEndpoint,
} from '#contexts/networks/contract/chain-reader.js';
import type { ChainModel } from './chain-model.js';

/** Passes each question on to the model of its network. */
abstract class ModelAnswers extends ChainAnswers {
  protected abstract model(network: string): ChainModel;

  block(network: string, number: number): Promise<BlockHeader | null> {
    return this.model(network).block(network, number);
  }

  succeeded(...asked: Parameters<ChainAnswers['succeeded']>): Promise<ReadonlySet<string>> {
    return this.model(asked[0]).succeeded(...asked);
  }

  balances(...asked: Parameters<ChainAnswers['balances']>): Promise<bigint[]> {
    return this.model(asked[0]).balances(...asked);
  }

  tokenBalances(...asked: Parameters<ChainAnswers['tokenBalances']>): Promise<(bigint | null)[]> {
    return this.model(asked[0]).tokenBalances(...asked);
  }

  holds(...asked: Parameters<ChainAnswers['holds']>): Promise<boolean[]> {
    return this.model(asked[0]).holds(...asked);
  }
}

export class ChainsByNetwork extends ModelAnswers implements ChainReader {
  constructor(private readonly chains: ReadonlyMap<string, ChainModel>) {
    super();
  }

  head = (network: string) => this.model(network).head();
  blocks = (network: string, from: number, to: number) => this.model(network).blocks(network, from, to);
  doubt = (network: string, reason: string) => this.model(network).doubt(network, reason);

  protected model(network: string): ChainModel {
    return this.chains.get(network)!;
  }
}

/** A second endpoint of each network: the same one asked again, unless a test puts another in its place. */
export class SecondEndpointModel extends ModelAnswers implements SecondEndpoint {
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

  isAlone = (network: string) => !this.others.has(network) && !this.isAway;
  fingerprint = (network: string) => this.model(network).readBy ?? null;
  finalNumber = async (network: string) => (await this.model(network).head()).finalNumber;

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

  protected model(network: string): ChainModel {
    if (this.isMissed) throw new ChainUnavailable(network, 'no second endpoint is healthy');
    return this.others.get(network) ?? this.chains.get(network)!;
  }
}
