import { isDeepStrictEqual } from 'node:util';
import { unavailable } from '#shared/kernel/domain-error.js';
import { ChainUnavailable, catchChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import type { NetworkConfiguration } from '#contexts/networks/domain/network-configuration.js';
import type { NetworksSettings } from '#contexts/networks/infrastructure/networks-settings.js';
import { withCallPurpose } from './call-purpose.js';
import type { JsonRpc } from './json-rpc.js';
import { EndpointFailure, isLimitFailure } from './rpc-failures.js';
import type { PooledInspection } from './pooled-inspection.js';

type Ask<T> = (endpoint: Endpoint) => Promise<T>;

/** Reading blocks has priority over these queries. An endpoint must prove its chain again after each failure. */
export abstract class ProvenEndpoints<Configuration extends NetworkConfiguration> {
  private readonly failed = new Set<Endpoint>();

  constructor(
    private readonly settings: NetworksSettings,
    private readonly inspection: PooledInspection,
    private readonly rpc: JsonRpc,
    private readonly isOwn: (network: NetworkConfiguration) => network is Configuration,
  ) {}

  configuration(network: string): Configuration {
    const found = this.settings.networks.filter(this.isOwn).find((each) => each.network === network);
    if (found === undefined) throw unavailable(`Nothing can be sent on the network ${network}.`);
    return found;
  }

  endpointsExcept(network: string, but: Endpoint | null): readonly Endpoint[] {
    return this.rpc.endpoints(network).filter((endpoint) => endpoint !== but);
  }

  first<T>(network: string, ask: Ask<T>): Promise<T> {
    return this.firstOf(network, this.rpc.endpoints(network), ask, null);
  }

  async firstOf<T>(
    network: string,
    endpoints: readonly Endpoint[],
    ask: Ask<T>,
    failed: ChainUnavailable | null,
  ): Promise<T> {
    const configuration = this.configuration(network);
    const failures = failed === null ? [] : [failed];
    for (const endpoint of endpoints) {
      const answer = await catchChainUnavailable(this.asking(configuration, endpoint, ask));
      if (!(answer instanceof ChainUnavailable)) return answer;
      failures.push(answer);
    }
    if (failures.length === 1) throw failures[0]!;
    throw new ChainUnavailable(network, failures.map(({ message }) => message).join(' '));
  }

  each<T>(network: string, ask: Ask<T>): Promise<readonly (T | ChainUnavailable)[]> {
    const configuration = this.configuration(network);
    const endpoints = this.rpc.endpoints(network);
    return Promise.all(
      endpoints.map((endpoint) => catchChainUnavailable(this.asking(configuration, endpoint, ask))),
    );
  }

  /**
   * Returns the answer on which all endpoints agree.
   * @throws ChainUnavailable if an endpoint does not answer, or the answers differ
   */
  async agreed<T>(network: string, ask: Ask<T>): Promise<T> {
    const answers = await this.each(network, ask);
    const silent = answers.find((answer) => answer instanceof ChainUnavailable);
    if (silent !== undefined) throw silent;
    const [first] = answers as T[];
    if (answers.every((answer) => isDeepStrictEqual(answer, first))) return first!;
    throw new ChainUnavailable(network, 'its endpoints return different results.');
  }

  private async asking<T>(configuration: Configuration, endpoint: Endpoint, ask: Ask<T>): Promise<T> {
    await this.prove(configuration, endpoint);
    try {
      return await withCallPurpose('sending', () => ask(endpoint));
    } catch (error) {
      if (error instanceof EndpointFailure && !isLimitFailure(error)) this.failed.add(endpoint);
      throw error;
    }
  }

  private async prove(configuration: Configuration, endpoint: Endpoint): Promise<void> {
    if (this.inspection.isVerified(endpoint) && !this.failed.has(endpoint)) return;
    const { foreign } = await this.inspection.identify(configuration, endpoint);
    if (foreign !== null) throw new ChainUnavailable(configuration.network, foreign.message);
    this.failed.delete(endpoint);
  }
}
