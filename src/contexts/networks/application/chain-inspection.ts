import type { ContractFacts } from '../domain/chain-facts.js';
import type { Endpoint } from '../domain/endpoint.js';
import type { ChainIdentity } from '../domain/foreign-chain.js';

/** Asks a network's endpoints what the check needs to know. One try each. @throws ChainUnavailable */
export abstract class ChainInspection {
  /** In the order of the configuration. */
  abstract endpoints(network: string): readonly Endpoint[];
  /** Those of which nothing is read until their chain is proven, or proven again. */
  abstract unproven(network: string): readonly Endpoint[];
  abstract identity(endpoint: Endpoint): Promise<ChainIdentity>;
  abstract head(endpoint: Endpoint): Promise<{ readonly number: number; readonly time: Date }>;
  abstract contracts(endpoint: Endpoint): Promise<ContractFacts>;
  /** It serves the network's chain: others may read from it now. */
  abstract admit(endpoint: Endpoint): void;
  /** It serves another chain: nobody reads from it any more. */
  abstract banish(endpoint: Endpoint, reason: string): void;
}
