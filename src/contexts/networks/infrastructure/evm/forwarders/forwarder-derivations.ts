import { Injectable } from '@nestjs/common';
import { ForwarderDerivation } from '../../../domain/forwarder.js';
import type { NetworkConfiguration } from '../../../domain/network-configuration.js';
import { NetworksSettings } from '../../networks-settings.js';
import { committedFactory } from './forwarder-artifacts.js';

/** Each configured network's factory. */
@Injectable()
export class ForwarderDerivations {
  private readonly byNetwork: ReadonlyMap<string, ForwarderDerivation>;

  constructor({ networks }: NetworksSettings) {
    this.byNetwork = new Map(
      networks.map((configuration) => [configuration.network, derivationOf(configuration)]),
    );
  }

  /** @returns undefined for a network that is not configured */
  of(network: string): ForwarderDerivation | undefined {
    return this.byNetwork.get(network);
  }
}

function derivationOf({ factory, chainId }: NetworkConfiguration): ForwarderDerivation {
  return new ForwarderDerivation(factory ?? committedFactory(), chainId);
}
