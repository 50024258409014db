import type { Endpoint } from '../domain/endpoint.js';
import type { EndpointFacts } from '../domain/endpoint-facts.js';
import type { NetworkConfiguration } from '../domain/network-configuration.js';
import type { TokenFacts } from '../domain/token-facts.js';

/** Asks what an operator wants to know before a network is used. Moves nothing and needs no key. */
export abstract class NetworkExamination {
  /** Never throws for what the endpoint does: each fact says why there is none. */
  abstract endpoint(endpoint: Endpoint, configuration: NetworkConfiguration): Promise<EndpointFacts>;
  /** @throws ChainUnavailable where its contract cannot be asked */
  abstract token(endpoint: Endpoint, token: string): Promise<TokenFacts>;
  /** Whether the deterministic deployer is there. @throws ChainUnavailable */
  abstract hasDeployer(endpoint: Endpoint): Promise<boolean>;
}
