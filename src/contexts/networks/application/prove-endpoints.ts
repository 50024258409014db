import { Injectable } from '@nestjs/common';
import { ChainUnavailable, orUnavailable } from '../contract/chain-reader.js';
import type { Endpoint } from '../domain/endpoint.js';
import {
  type ChainIdentity,
  type ForeignChain,
  type KnownChain,
  endpointsDifferError,
  foreignChainError,
  KnownChains,
} from '../domain/foreign-chain.js';
import type { NetworkConfiguration } from '../domain/network-configuration.js';
import { ChainTypes } from './chain-types.js';

export interface ChainProofs {
  readonly proven: readonly Endpoint[];
  readonly foreign: readonly ForeignChain[];
  readonly silent: readonly ChainUnavailable[];
}

interface IdentifiedChain {
  readonly endpoint: Endpoint;
  readonly identity: ChainIdentity;
}

@Injectable()
export class ProveEndpoints {
  constructor(
    private readonly chainTypes: ChainTypes,
    private readonly known: KnownChains,
  ) {}

  /** If no chain is stored for the network, stores the chain of the first proven endpoint. */
  async prove(
    configuration: NetworkConfiguration,
    endpoints: readonly Endpoint[],
    mayStore = true,
  ): Promise<ChainProofs> {
    const { inspection } = this.chainTypes.family(configuration.network);
    const asked = await Promise.all(
      endpoints.map(async (endpoint) => ({
        endpoint,
        identity: await orUnavailable(inspection.identity(endpoint)),
      })),
    );
    const silent = asked.map(({ identity }) => identity).filter((each) => each instanceof ChainUnavailable);
    const identified = asked.filter(
      (each): each is IdentifiedChain => !(each.identity instanceof ChainUnavailable),
    );
    const torn = await this.areTorn(configuration, identified);
    const proven: Endpoint[] = [];
    const foreign: ForeignChain[] = [];
    // Sequential, because the first endpoint of a new network determines the chain with which the other endpoints are
    // compared.
    for (const { endpoint, identity } of identified) {
      const wrong =
        identity.chainId === configuration.chainId && torn
          ? endpointsDifferError(configuration, endpoint, identity)
          : foreignChainError(
              configuration,
              endpoint,
              await this.stored(configuration, identity, mayStore),
              identity,
              (chainId) => inspection.chainName(chainId),
            );
      if (wrong === null) {
        inspection.admit(endpoint);
        proven.push(endpoint);
      } else {
        inspection.banish(endpoint, wrong.message);
        foreign.push(wrong);
      }
    }
    return { proven, foreign, silent };
  }

  /** Returns the chain stored for this network, or the chain stored for another network if it is the same chain. */
  private async stored(
    { network, chainId }: NetworkConfiguration,
    identity: ChainIdentity,
    mayStore: boolean,
  ): Promise<KnownChain | null> {
    if (identity.chainId !== chainId) return null;
    return mayStore ? this.known.remember(network, identity) : this.known.find(network, identity);
  }

  /** True if a network has no stored chain and its endpoints show two different chains with the same id. */
  private async areTorn(
    { network, chainId }: NetworkConfiguration,
    identified: readonly IdentifiedChain[],
  ): Promise<boolean> {
    const found = identified.map(({ identity }) => identity).filter((one) => one.chainId === chainId);
    const [first] = found;
    if (first === undefined || found.every(({ genesisHash }) => genesisHash === first.genesisHash))
      return false;
    return (await this.known.find(network, first))?.network !== network;
  }
}
