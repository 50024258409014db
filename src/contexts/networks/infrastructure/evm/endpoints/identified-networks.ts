import { Injectable } from '@nestjs/common';
import { ChainUnavailable } from '../../../contract/chain-reader.js';
import { NetworkGate } from '../../../domain/network-gate.js';
import { type WatchedAssets, WatchedAssetsByNetwork } from '../reading/watched-assets.js';

/** Keeps a network from being read before its chain's identity is proven. */
@Injectable()
export class IdentifiedNetworks {
  constructor(
    private readonly assets: WatchedAssetsByNetwork,
    private readonly gate: NetworkGate,
  ) {}

  /** @throws ChainUnavailable */
  watched(network: string): WatchedAssets {
    const found = this.assets.of(network);
    if (found === undefined) throw new ChainUnavailable(network, 'it is not configured.');
    if (this.gate.isIdentified(network)) return found;
    const standing = this.gate.standing(network);
    const reason = 'reason' in standing && standing.reason !== '' ? ` ${standing.reason}` : '';
    throw new ChainUnavailable(network, `it is not proven to be the right chain.${reason}`);
  }
}
