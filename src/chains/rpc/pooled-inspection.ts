import { ChainInspection } from '#contexts/networks/application/chain-types.js';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import {
  type ChainIdentity,
  type WrongChain,
  KnownChains,
  wrongChainError,
} from '#contexts/networks/domain/wrong-chain.js';
import type { NetworkConfiguration } from '#contexts/networks/domain/network-configuration.js';
import type { JsonRpc } from './json-rpc.js';
import type { EndpointPool } from './endpoint-pool.js';

export interface IdentifiedEndpoint {
  readonly identity: ChainIdentity;
  readonly isStored: boolean;
  /** Null if the endpoint serves the network's chain. */
  readonly foreign: WrongChain | null;
}

export abstract class PooledInspection extends ChainInspection {
  private readonly admittedAs = new Map<Endpoint, Date>();

  constructor(
    private readonly known: KnownChains,
    protected readonly rpc: JsonRpc,
    private readonly pool: EndpointPool,
  ) {
    super();
  }

  endpoints(network: string): readonly Endpoint[] {
    return this.rpc.endpoints(network);
  }

  /** Includes endpoints that were unavailable, because another node may now answer at the same address. */
  unverifiedEndpoints(network: string): readonly Endpoint[] {
    return this.endpoints(network).filter((endpoint) => !this.isVerified(endpoint));
  }

  isVerified(endpoint: Endpoint): boolean {
    const { isUsed, changedAt } = this.pool.usageState(endpoint);
    // Compares Date objects by identity: each change creates a new object, so adjustments of the clock do not matter.
    return isUsed && changedAt === this.admittedAs.get(endpoint);
  }

  admit(endpoint: Endpoint): void {
    this.pool.admit(endpoint);
    this.admittedAs.set(endpoint, this.pool.usageState(endpoint).changedAt);
  }

  exclude(endpoint: Endpoint, reason: string): void {
    this.pool.exclude(endpoint, reason);
  }

  /** Stores nothing and does not change which endpoint is read from. */
  async identify(network: NetworkConfiguration, endpoint: Endpoint): Promise<IdentifiedEndpoint> {
    const identity = await this.identity(endpoint);
    const stored = await this.known.find(network.network, identity);
    const nameOf = (chainId: number) => this.chainName(chainId);
    const foreign = wrongChainError(network, endpoint, stored, identity, nameOf);
    return { identity, isStored: stored !== null, foreign };
  }
}
