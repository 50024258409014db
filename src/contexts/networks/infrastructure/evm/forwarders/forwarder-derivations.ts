import { Injectable } from '@nestjs/common';
import { ForwarderDerivation } from './forwarder-derivation.js';
import { type EvmNetworkConfiguration, isEvm } from '../../../domain/network-configuration.js';
import { NetworksSettings } from '../../networks-settings.js';
import { committedFactory } from './forwarder-artifacts.js';

/** The factory of each configured EVM network. */
@Injectable()
export class ForwarderDerivations {
  private readonly byNetwork: ReadonlyMap<string, ForwarderDerivation>;

  constructor({ networks }: NetworksSettings) {
    this.byNetwork = new Map(
      networks.filter(isEvm).map((configuration) => [configuration.network, derivationOf(configuration)]),
    );
  }

  /** @returns undefined for a network that is not configured, or of another family */
  of(network: string): ForwarderDerivation | undefined {
    return this.byNetwork.get(network);
  }
}

function derivationOf({ factory, chainId }: EvmNetworkConfiguration): ForwarderDerivation {
  return new ForwarderDerivation(factory ?? committedFactory(), chainId);
}
