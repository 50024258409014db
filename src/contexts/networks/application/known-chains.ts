import type { ChainIdentity, KnownChain } from '../domain/foreign-chain.js';

/** Which chain each network was when the service first met it. */
export abstract class KnownChains {
  /**
   * Stores the chain as this network's unless one is stored, or the chain is another network's. Atomic.
   * @returns what is stored afterwards: for this network, or for the other one that has this chain
   */
  abstract remember(network: string, found: ChainIdentity): Promise<KnownChain>;
  /** Stores nothing. @returns what is stored for this network, or else for another one that has this chain */
  abstract find(network: string, found: ChainIdentity): Promise<KnownChain | null>;
}
