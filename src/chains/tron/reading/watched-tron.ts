import { Injectable } from '@nestjs/common';
import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import { smallestPaymentFinality } from '#contexts/networks/contract/finality-depth.js';
import { NetworkReadiness } from '#contexts/networks/domain/network-readiness.js';
import { NetworksSettings } from '#contexts/networks/infrastructure/networks-settings.js';
import type { LogSelection } from '../../ethereum-rpc/log-answers.js';
import type { Watched, WatchedNetworks } from '../../rpc/reading/endpoint-reading.js';
import { hexOfTronAddress } from '../addresses/tron-address.js';
import { isTron } from '../tron-network.js';

/** Addresses are in hex, as in receipts. */
export interface WatchedTron extends Watched, LogSelection {}

/** Throws until the identity of the chain is proven. */
@Injectable()
export class WatchedTronNetworks implements WatchedNetworks<WatchedTron> {
  private readonly byNetwork: ReadonlyMap<string, WatchedTron>;

  constructor(
    { networks }: NetworksSettings,
    private readonly readiness: NetworkReadiness,
  ) {
    this.byNetwork = new Map(
      networks.filter(isTron).map(({ network, assets, factory, ...configured }) => {
        const tokens = new Set(assets.map(({ token }) => hexOfTronAddress(token)!));
        const factories = new Set([hexOfTronAddress(factory)!]);
        return [network, { finality: smallestPaymentFinality(configured), tokens, factories, native: null }];
      }),
    );
  }

  watchedAssets(network: string): WatchedTron {
    const found = this.byNetwork.get(network);
    if (found === undefined) throw new ChainUnavailable(network, 'it is not configured.');
    this.readiness.requireIdentified(network);
    return found;
  }
}
