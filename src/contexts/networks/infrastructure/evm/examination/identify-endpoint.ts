import { Injectable } from '@nestjs/common';
import { type Endpoint, spokenEndpoint } from '../../../domain/endpoint.js';
import { type ChainIdentity, type ForeignChain, foreignness } from '../../../domain/foreign-chain.js';
import type { NetworkConfiguration } from '../../../domain/network-configuration.js';
import { RpcChainInspection } from './rpc-chain-inspection.js';
import { KnownChains } from '../../../application/known-chains.js';

export interface IdentifiedEndpoint {
  readonly identity: ChainIdentity;
  /** Whether the service has met this chain, or another of this network. */
  readonly isStored: boolean;
  /** Why it is not the network's chain; null where it is. */
  readonly foreign: ForeignChain | null;
}

/** Which chain one endpoint serves, for operators: nothing is stored, and whether it is read from stays as it is. */
@Injectable()
export class IdentifyEndpoint {
  constructor(
    private readonly chain: RpcChainInspection,
    private readonly known: KnownChains,
  ) {}

  /** @throws ChainUnavailable */
  async execute({ network, chainId }: NetworkConfiguration, endpoint: Endpoint): Promise<IdentifiedEndpoint> {
    const identity = await this.chain.identity(endpoint);
    const stored = await this.known.find(network, identity);
    const foreign = foreignness(network, spokenEndpoint(endpoint), chainId, stored, identity);
    return { identity, isStored: stored !== null, foreign };
  }
}
