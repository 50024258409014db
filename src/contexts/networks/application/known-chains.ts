import type { ChainIdentity } from '../domain/foreign-chain.js';

export interface KnownChain extends ChainIdentity {
  readonly network: string;
}

/** Which chain each network was when the service first met it. */
export abstract class KnownChains {
  /**
   * Stores the chain as this network's unless one is stored, or the chain is another network's. Atomic.
   * @returns what is stored afterwards: for this network, or for the other one that has this chain
   */
  abstract remember(network: string, found: ChainIdentity): Promise<KnownChain>;
}
