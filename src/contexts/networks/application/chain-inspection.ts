import type { ContractFacts } from '../domain/chain-facts.js';
import type { ChainIdentity } from '../domain/foreign-chain.js';

/** One of a network's endpoints, without its address, which may carry an access key. */
export interface ChainEndpoint {
  readonly network: string;
  /** Place in `rpc_urls`, from 0. */
  readonly position: number;
  /** Host and port. */
  readonly name: string;
}

/** Asks a network's endpoints what the check needs to know. One try each. @throws ChainUnavailable */
export abstract class ChainInspection {
  /** In the order of the configuration. */
  abstract endpoints(network: string): readonly ChainEndpoint[];
  /** Those of which nothing is read until their chain is proven, or proven again. */
  abstract unproven(network: string): readonly ChainEndpoint[];
  abstract identity(endpoint: ChainEndpoint): Promise<ChainIdentity>;
  abstract head(endpoint: ChainEndpoint): Promise<{ readonly number: number; readonly time: Date }>;
  abstract contracts(endpoint: ChainEndpoint): Promise<ContractFacts>;
  /** It serves the network's chain: others may read from it now. */
  abstract admit(endpoint: ChainEndpoint): void;
  /** It serves another chain: nobody reads from it any more. */
  abstract banish(endpoint: ChainEndpoint, reason: string): void;
}

/** As it stands in sentences: two endpoints of one provider have one name. */
export function spokenEndpoint({ position, name }: ChainEndpoint): string {
  return `endpoint ${position + 1} (${name})`;
}
