import type { ContractFacts } from '../domain/chain-facts.js';
import type { ChainIdentity } from '../domain/foreign-chain.js';

/** Asks a network's node what the check needs to know. One try each. @throws ChainUnavailable */
export abstract class ChainInspection {
  abstract identity(network: string): Promise<ChainIdentity>;
  abstract contracts(network: string): Promise<ContractFacts>;
}
