import { ChainInspection } from '#contexts/networks/application/chain-types.js';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import {
  type ChainIdentity,
  type ForeignChain,
  KnownChains,
  foreignness,
} from '#contexts/networks/domain/foreign-chain.js';
import type { NetworkConfiguration } from '#contexts/networks/domain/network-configuration.js';
import type { JsonRpc } from './json-rpc.js';
import type { EndpointPool } from './endpoint-pool.js';

export interface IdentifiedEndpoint {
  readonly identity: ChainIdentity;
  /** True where the service has met this chain, or another of this network. */
  readonly isStored: boolean;
  /** Why it is not the network's chain; null where it is. */
  readonly foreign: ForeignChain | null;
}

/** Inspects endpoints that the pool keeps: a chain type adds how its nodes are asked. */
export abstract class PooledInspection extends ChainInspection {
  /** The time since which each endpoint had been as it was when it was admitted. */
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

  /** Also those that were away: what answers under an address may have become another node meanwhile. */
  unproven(network: string): readonly Endpoint[] {
    return this.endpoints(network).filter((endpoint) => !this.isProven(endpoint));
  }

  /** It was admitted, and has not changed since. */
  isProven(endpoint: Endpoint): boolean {
    const { isUsed, changedAt } = this.pool.standing(endpoint);
    // Each change makes a date of its own: two are the same one, or not, however the clock was set meanwhile.
    return isUsed && changedAt === this.admittedAs.get(endpoint);
  }

  admit(endpoint: Endpoint): void {
    this.pool.admit(endpoint);
    this.admittedAs.set(endpoint, this.pool.standing(endpoint).changedAt);
  }

  banish(endpoint: Endpoint, reason: string): void {
    this.pool.banish(endpoint, reason);
  }

  /** For operators: nothing is stored, and whether the endpoint is read from stays as it is. @throws ChainUnavailable */
  async identified(network: NetworkConfiguration, endpoint: Endpoint): Promise<IdentifiedEndpoint> {
    const identity = await this.identity(endpoint);
    const stored = await this.known.find(network.network, identity);
    const nameOf = (chainId: number) => this.chainName(chainId);
    const foreign = foreignness(network, endpoint, stored, identity, nameOf);
    return { identity, isStored: stored !== null, foreign };
  }
}
