import { Injectable } from '@nestjs/common';
import { ChainUnavailable } from '../../../contract/chain-reader.js';
import { NetworkReadiness } from '../../../domain/network-readiness.js';
import { type WatchedAssets, WatchedAssetsByNetwork } from '../reading/watched-assets.js';

/** Keeps a network from being read before its chain's identity is proven. */
@Injectable()
export class IdentifiedNetworks {
  constructor(
    private readonly assets: WatchedAssetsByNetwork,
    private readonly readiness: NetworkReadiness,
  ) {}

  /** @throws ChainUnavailable */
  watched(network: string): WatchedAssets {
    const found = this.assets.of(network);
    if (found === undefined) throw new ChainUnavailable(network, 'it is not configured.');
    if (this.readiness.isIdentified(network)) return found;
    const standing = this.readiness.of(network);
    const reason = 'reason' in standing && standing.reason !== '' ? ` ${standing.reason}` : '';
    throw new ChainUnavailable(network, `it is not proven to be the right chain.${reason}`);
  }
}
