import { Injectable } from '@nestjs/common';
import { ChainUnavailable, catchChainUnavailable } from '../contract/chain-reader.js';
import type { Endpoint } from '../domain/endpoint.js';
import {
  type ChainIdentity,
  type WrongChain,
  type KnownChain,
  chainDisagreementError,
  wrongChainError,
  KnownChains,
} from '../domain/wrong-chain.js';
import type { NetworkConfiguration } from '../domain/network-configuration.js';
import { ChainTypes } from './chain-types.js';

export interface EndpointVerification {
  readonly proven: readonly Endpoint[];
  readonly foreign: readonly WrongChain[];
  readonly silent: readonly ChainUnavailable[];
}

interface IdentifiedChain {
  readonly endpoint: Endpoint;
  readonly identity: ChainIdentity;
}

@Injectable()
export class VerifyEndpoints {
  constructor(
    private readonly chainTypes: ChainTypes,
    private readonly known: KnownChains,
  ) {}

  /** If no chain is stored for the network, stores the chain of the first proven endpoint. */
  async verify(
    configuration: NetworkConfiguration,
    endpoints: readonly Endpoint[],
    mayStore = true,
  ): Promise<EndpointVerification> {
    const { inspection } = this.chainTypes.family(configuration.network);
    const asked = await Promise.all(
      endpoints.map(async (endpoint) => ({
        endpoint,
        identity: await catchChainUnavailable(inspection.identity(endpoint)),
      })),
    );
    const silent = asked.map(({ identity }) => identity).filter((each) => each instanceof ChainUnavailable);
    const identified = asked.filter(
      (each): each is IdentifiedChain => !(each.identity instanceof ChainUnavailable),
    );
    const torn = await this.areTorn(configuration, identified);
    const proven: Endpoint[] = [];
    const foreign: WrongChain[] = [];
    // Sequential, because the first endpoint of a new network determines the chain with which the other endpoints are
    // compared.
    for (const { endpoint, identity } of identified) {
      const wrong =
        identity.chainId === configuration.chainId && torn
          ? chainDisagreementError(configuration, endpoint, identity)
          : wrongChainError(
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
        inspection.exclude(endpoint, wrong.message);
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
