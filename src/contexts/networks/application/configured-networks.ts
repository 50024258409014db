import type { NetworkConfiguration } from '../domain/network-configuration.js';

/** Every network that the operator configured. */
export class ConfiguredNetworks {
  /** @param all in the order of the configuration */
  constructor(readonly all: readonly NetworkConfiguration[]) {}

  named(name: string): NetworkConfiguration | undefined {
    return this.all.find(({ network }) => network === name);
  }
}
