import type { NetworkToCheck } from './check-network.js';

/** Every configured network with what it is compared with. */
export class NetworksToCheck {
  /** @param all in the order of the configuration */
  constructor(readonly all: readonly NetworkToCheck[]) {}

  named(name: string): NetworkToCheck | undefined {
    return this.all.find(({ configuration }) => configuration.network === name);
  }
}
