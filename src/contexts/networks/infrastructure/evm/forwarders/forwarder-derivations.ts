import { Injectable } from '@nestjs/common';
import { ForwarderDerivation } from './forwarder-derivation.js';
import { isEvm } from '../evm-network.js';
import { NetworksSettings } from '../../networks-settings.js';

/** The factory of each configured EVM network. */
@Injectable()
export class ForwarderDerivations {
  private readonly byNetwork: ReadonlyMap<string, ForwarderDerivation>;

  constructor({ networks }: NetworksSettings) {
    this.byNetwork = new Map(
      networks
        .filter(isEvm)
        .map(({ network, factory, chainId }) => [network, new ForwarderDerivation(factory, chainId)]),
    );
  }

  /** @returns undefined for a network that is not configured, or of another family */
  of(network: string): ForwarderDerivation | undefined {
    return this.byNetwork.get(network);
  }
}
