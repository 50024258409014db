import type { Endpoint } from '../domain/endpoint.js';
import type { ChainIdentity } from '../domain/foreign-chain.js';

/** Asks a network's endpoints what the check needs to know. One try each. @throws ChainUnavailable */
export abstract class ChainInspection {
  /** In the order of the configuration. */
  abstract endpoints(network: string): readonly Endpoint[];
  /** Endpoints of which nothing is read until their chain is proven, or proven again. */
  abstract unproven(network: string): readonly Endpoint[];
  abstract identity(endpoint: Endpoint): Promise<ChainIdentity>;
  abstract head(endpoint: Endpoint): Promise<{ readonly number: number; readonly time: Date }>;
  /** In sentences, why addresses or amounts of this network cannot be trusted; empty where all agrees. */
  abstract problems(endpoint: Endpoint): Promise<readonly string[]>;
  /** The endpoint serves the network's chain: it may be read from now. */
  abstract admit(endpoint: Endpoint): void;
  /** The endpoint serves another chain: nothing is read from it any more. */
  abstract banish(endpoint: Endpoint, reason: string): void;
}
