import {
  ChainUnavailable,
  type BlockHeader,
  type ChainTransfer,
  type SecondEndpoint,
} from '#contexts/networks/contract/chain-reader.js';
import { type Chain, Chains } from '#contexts/networks/contract/chains.js';
import type { ChainModel } from './chain-model.js';

/** Model chains by network. They have no second endpoint unless a test adds one. */
export class ChainsByNetwork extends Chains {
  constructor(
    private readonly models: ReadonlyMap<string, ChainModel>,
    private readonly secondEndpoints = new SecondEndpoints(),
    private readonly addresses?: Chains,
  ) {
    super();
  }

  find(network: string): Chain {
    const reader = this.models.get(network)!;
    const secondEndpoint = this.secondEndpoints.of(network, reader);
    return { ...this.addresses?.of(network), reader, secondEndpoint } as Chain;
  }
}

/** The second endpoint of each network: the same endpoint as the reader, unless a test sets another one. */
export class SecondEndpoints {
  readonly others = new Map<string, ChainModel>();
  /** True if a second endpoint is configured for every network, but no second endpoint is healthy. */
  isAway = false;
  /** True if the second endpoint has been unavailable for only a moment, so every query that needs it throws. */
  isMissed = false;
  skips: (transfer: ChainTransfer) => boolean = () => false;

  of(network: string, first: ChainModel): SecondEndpoint {
    const unlessMissed = <T>(value: T): T => {
      if (this.isMissed) throw new ChainUnavailable(network, 'no second endpoint is healthy');
      return value;
    };
    const model = () => unlessMissed(this.others.get(network) ?? first);
    return {
      blockHeader: async (number) => model().blockHeader(number),
      succeededTransactions: async (...call) => model().succeededTransactions(...call),
      balances: async (...call) => model().balances(...call),
      tokenBalances: async (...call) => model().tokenBalances(...call),
      containsTransfers: async (...call) => model().containsTransfers(...call),
      headerByTag: async (...call) => model().headerByTag(...call),
      isIndependent: () => unlessMissed(this.others.has(network) && !this.isAway),
      isOnlyEndpoint: () => !this.others.has(network) && !this.isAway,
      fingerprint: () => model().readBy ?? null,
      finalNumber: async () => (await model().head()).finalNumber,
      contentsOfBlockRange: async (from, to) => {
        const blocks = await model().blocks(from, to);
        const last: BlockHeader | undefined = blocks.at(-1)?.header;
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
      },
    };
  }
}
