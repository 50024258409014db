import { Injectable } from '@nestjs/common';
import type { Derivation } from '#contexts/networks/contract/deposit-addresses.js';
import { NetworksSettings } from '#contexts/networks/infrastructure/networks-settings.js';
import { FORMER_FACTORIES, currentFactoryAddress } from '../../forwarders/forwarder-artifacts.js';
import { ForwarderDerivation } from '../../forwarders/forwarder-derivation.js';
import { isEvm } from '../evm-network.js';

@Injectable()
export class ForwarderDerivations {
  private readonly byNetwork: ReadonlyMap<string, ForwarderDerivation>;

  constructor({ networks }: NetworksSettings) {
    this.byNetwork = new Map(
      networks
        .filter(isEvm)
        .map(({ network, factory, chainId, implementation }) => [
          network,
          new ForwarderDerivation(factory, chainId, implementation),
        ]),
    );
  }

  configured(network: string): ForwarderDerivation | undefined {
    return this.byNetwork.get(network);
  }

  /** Accepts only the configured factory and the committed factories of this and earlier releases. */
  withFactory(network: string, { factory, homeChainId }: Derivation): ForwarderDerivation | undefined {
    const present = this.configured(network);
    if (present === undefined || homeChainId !== present.chainId) return undefined;
    if (factory === present.factory) return present;
    const known = this.factoriesOf(network).find((each) => each === factory);
    return known === undefined ? undefined : new ForwarderDerivation(known, present.chainId);
  }

  factoriesOf(network: string): readonly string[] {
    const present = this.configured(network);
    return present === undefined ? [] : [present.factory, currentFactoryAddress(), ...FORMER_FACTORIES];
  }
}
