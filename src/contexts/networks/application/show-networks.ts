import { Injectable } from '@nestjs/common';
import { ChainUnavailable, catchChainUnavailable } from '../contract/chain-reader.js';
import { type Endpoint, MAX_BLOCKS_BEHIND, endpointLabel } from '../domain/endpoint.js';
import type { WrongChain } from '../domain/wrong-chain.js';
import { NetworkReadiness, type ChainReadiness } from '../domain/network-readiness.js';
import { ChainTypes } from './chain-types.js';
import type { NetworkConfiguration } from '../domain/network-configuration.js';
import { CheckNetworkReadiness } from './check-network-readiness.js';

export interface EndpointView {
  readonly position: number;
  readonly name: string;
  readonly state: 'well' | 'lagging' | 'foreign' | 'silent';
  readonly head: { readonly number: number; readonly time: Date } | null;
  readonly reason: string | null;
}

export interface NetworkView {
  readonly network: string;
  readonly readiness: ChainReadiness;
  readonly endpoints: readonly EndpointView[];
}

@Injectable()
export class ShowNetworks {
  constructor(
    private readonly checkNetworkReadiness: CheckNetworkReadiness,
    private readonly chainTypes: ChainTypes,
    private readonly readiness: NetworkReadiness,
  ) {}

  /** Queries all networks concurrently, so a silent network does not delay the others. */
  show(networks: readonly NetworkConfiguration[]): Promise<NetworkView[]> {
    return Promise.all(networks.map((network) => this.viewOf(network)));
  }

  private async viewOf(configuration: NetworkConfiguration): Promise<NetworkView> {
    const { network } = configuration;
    const { foreign } = await this.checkNetworkReadiness.check(configuration, false);
    const endpoints = this.chainTypes.family(network).inspection.endpoints(network);
    const asked = await Promise.all(endpoints.map((endpoint) => this.ask(endpoint, foreign)));
    const best = Math.max(...asked.map(({ state, head }) => (state === 'well' && head ? head.number : -1)));
    return {
      network,
      readiness: this.readiness.get(network),
      endpoints: asked.map((endpoint) => withLag(endpoint, best)),
    };
  }

  private async ask(endpoint: Endpoint, foreign: readonly WrongChain[]): Promise<EndpointView> {
    const { position, name } = endpoint;
    const wrong = foreign.find((each) => each.endpointName === endpointLabel(endpoint));
    const head = await catchChainUnavailable(
      this.chainTypes.family(endpoint.network).inspection.head(endpoint),
    );
    if (head instanceof ChainUnavailable) {
      return { position, name, state: 'silent', head: null, reason: head.message };
    }
    return { position, name, state: wrong ? 'foreign' : 'well', head, reason: wrong?.message ?? null };
  }
}

function withLag(endpoint: EndpointView, best: number): EndpointView {
  const behind = best - (endpoint.head?.number ?? best);
  if (endpoint.state !== 'well' || behind <= MAX_BLOCKS_BEHIND) return endpoint;
  return { ...endpoint, state: 'lagging', reason: `It is ${behind} blocks behind another endpoint.` };
}
