import { Injectable } from '@nestjs/common';
import { orUnavailable } from '../../../application/or-unavailable.js';
import { ChainUnavailable } from '../../../contract/chain-reader.js';
import type { Endpoint } from '../../../domain/endpoint.js';
import { JsonRpc } from '../rpc/json-rpc.js';
import type { EvmNetworkConfiguration } from '../evm-network.js';
import { RpcChainInspection } from './rpc-chain-inspection.js';

/** Endpoints that are asked for their chain each time before anything else: one may have become another's since. */
@Injectable()
export class ProvenEndpoints {
  constructor(
    private readonly inspection: RpcChainInspection,
    private readonly rpc: JsonRpc,
  ) {}

  /**
   * The answer of the first endpoint that serves the network's chain and answers.
   * @throws ChainUnavailable with the reasons of all, and whatever else `ask` throws
   */
  async first<T>(
    configuration: EvmNetworkConfiguration,
    ask: (endpoint: Endpoint) => Promise<T>,
  ): Promise<T> {
    const reasons: string[] = [];
    for (const endpoint of this.rpc.endpoints(configuration.network)) {
      const asked = this.prove(configuration, endpoint).then(() => ask(endpoint));
      const answer = await orUnavailable(asked);
      if (!(answer instanceof ChainUnavailable)) return answer;
      reasons.push(answer.message);
    }
    throw new ChainUnavailable(configuration.network, reasons.join(' '));
  }

  /** @throws ChainUnavailable where it serves another chain, or does not answer */
  async prove(configuration: EvmNetworkConfiguration, endpoint: Endpoint): Promise<void> {
    const { foreign } = await this.inspection.identified(configuration, endpoint);
    if (foreign !== null) throw new ChainUnavailable(configuration.network, foreign.message);
  }
}
