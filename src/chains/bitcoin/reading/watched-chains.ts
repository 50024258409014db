import { Injectable } from '@nestjs/common';
import { isNative } from '#shared/kernel/asset.js';
import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import { NetworkReadiness } from '#contexts/networks/domain/network-readiness.js';
import { NetworksSettings } from '#contexts/networks/infrastructure/networks-settings.js';
import { type BitcoinChain, bitcoinChainOf, isBitcoin } from '../bitcoin-network.js';
import type { CoinAndAddressFormat } from './output-transfers.js';

export interface ReadableNetwork extends CoinAndAddressFormat {
  readonly chain: BitcoinChain;
  /** The lowest number of confirmations at which a block counts as final. */
  readonly confirmations: number;
  readonly mempoolPollMs: number;
}

@Injectable()
export class WatchedChains {
  private readonly byNetwork: ReadonlyMap<string, ReadableNetwork>;

  constructor(
    { networks }: NetworksSettings,
    private readonly readiness: NetworkReadiness,
  ) {
    this.byNetwork = new Map(
      networks.filter(isBitcoin).map((configuration) => {
        const { network, finality, assets } = configuration;
        const chain = bitcoinChainOf(configuration);
        const coin = assets.find(isNative);
        if (coin === undefined || finality.kind !== 'confirmations')
          throw new Error(
            `${network} must have exactly one coin, and a number of confirmations as its finality.`,
          );
        const { confirmations } = finality;
        const mempoolPollMs = configuration.mempoolPollSeconds * 1_000;
        return [network, { chain, format: chain.format, token: coin.token, confirmations, mempoolPollMs }];
      }),
    );
  }

  readableNetwork(network: string): ReadableNetwork {
    const found = this.byNetwork.get(network);
    if (found === undefined) throw new ChainUnavailable(network, 'it is not configured.');
    this.readiness.requireIdentified(network);
    return found;
  }
}
