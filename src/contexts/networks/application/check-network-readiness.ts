import { Injectable } from '@nestjs/common';
import { ChainUnavailable, catchChainUnavailable } from '../contract/chain-reader.js';
import { endpointLabel } from '../domain/endpoint.js';
import type { WrongChain } from '../domain/wrong-chain.js';
import type { NetworkConfiguration } from '../domain/network-configuration.js';
import { NetworkReadiness, type ChainReadiness } from '../domain/network-readiness.js';
import { ChainTypes } from './chain-types.js';
import { VerifyEndpoints, type EndpointVerification } from './verify-endpoints.js';

export interface NetworkReadinessResult {
  readonly readiness: ChainReadiness;
  readonly foreign: readonly WrongChain[];
}

@Injectable()
export class CheckNetworkReadiness {
  constructor(
    private readonly chainTypes: ChainTypes,
    private readonly verifyEndpoints: VerifyEndpoints,
    private readonly readiness: NetworkReadiness,
  ) {}

  /**
   * @param mayStore false: a newly found chain is not stored as the network's chain
   */
  async check(configuration: NetworkConfiguration, mayStore = true): Promise<NetworkReadinessResult> {
    const { network } = configuration;
    const endpoints = this.chainTypes.family(network).inspection.endpoints(network);
    const proofs = await this.verifyEndpoints.verify(configuration, endpoints, mayStore);
    if (proofs.foreign.length === endpoints.length) {
      const [{ message }] = proofs.foreign as [WrongChain];
      this.readiness.set(network, { kind: 'foreign', reason: message });
      return { readiness: this.readiness.get(network), foreign: proofs.foreign };
    }
    const problems = await this.problems(network, proofs);
    if (!(problems instanceof Error)) {
      this.readiness.set(
        network,
        problems.length === 0 ? { kind: 'ready' } : { kind: 'mismatched', problems },
      );
    } else if (!this.readiness.isIdentified(network)) {
      // Earlier proofs about the chain stay valid while no endpoint answers.
      this.readiness.set(network, { kind: 'unchecked', reason: problems.message });
    }
    return { readiness: this.readiness.get(network), foreign: proofs.foreign };
  }

  /**
   * @param resting names (`spokenEndpoint`) of endpoints of another chain to skip this time
   */
  async reverifyEndpoints(
    configuration: NetworkConfiguration,
    resting: ReadonlySet<string>,
  ): Promise<EndpointVerification> {
    const { network } = configuration;
    const { inspection } = this.chainTypes.family(network);
    const asked = inspection
      .unverifiedEndpoints(network)
      .filter((endpoint) => !resting.has(endpointLabel(endpoint)));
    const proofs = await this.verifyEndpoints.verify(configuration, asked);
    const [foreign] = proofs.foreign;
    const kept = proofs.foreign.length + resting.size;
    if (foreign !== undefined && kept === inspection.endpoints(network).length) {
      this.readiness.set(network, { kind: 'foreign', reason: foreign.message });
    }
    return proofs;
  }

  private async problems(
    network: string,
    { proven, silent }: EndpointVerification,
  ): Promise<readonly string[] | ChainUnavailable> {
    let failure = silent[0]!;
    for (const endpoint of proven) {
      const problems = await catchChainUnavailable(
        this.chainTypes.family(network).inspection.configurationMismatches(endpoint),
      );
      if (!(problems instanceof ChainUnavailable)) return problems;
      failure = problems;
    }
    return failure;
  }
}
