import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { isNative } from '#shared/kernel/asset.js';
import { ChainUnavailable, catchChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import { factoryMismatches } from '../../forwarders/contract-facts.js';
import { type Endpoint, endpointLabel } from '#contexts/networks/domain/endpoint.js';
import { checkEndpoints } from '../../rpc/check-endpoints.js';
import { endpointFindings } from './endpoint-facts.js';
import { type NetworkCheckFinding, okResult, wrongResult } from '#contexts/networks/domain/finding.js';
import { tokenFindings } from './token-facts.js';
import { checkSignatureSupport } from '../authorizations/token-domain-facts.js';
import { TokenSignatureProbe } from '../authorizations/token-signature-probe.js';
import { answerOrRefusal } from '../../rpc/rpc-failures.js';
import { NetworkConfigurationCheck } from '#contexts/networks/application/chain-types.js';
import type { NetworkConfiguration } from '#contexts/networks/domain/network-configuration.js';
import { ForwarderDerivations } from '../forwarders/forwarder-derivations.js';
import { RpcChainInspection } from './rpc-chain-inspection.js';
import { RpcEndpointCheck } from './rpc-endpoint-check.js';
import { RpcTokenCheck } from './rpc-token-check.js';

@Injectable()
export class EvmNetworkConfigurationCheck extends NetworkConfigurationCheck {
  constructor(
    private readonly clock: Clock,
    private readonly chain: RpcChainInspection,
    private readonly derivations: ForwarderDerivations,
    private readonly endpoints: RpcEndpointCheck,
    private readonly tokens: RpcTokenCheck,
    private readonly domains: TokenSignatureProbe,
  ) {
    super();
  }

  async check(network: NetworkConfiguration): Promise<NetworkCheckFinding[]> {
    const { findings, good } = await checkEndpoints(this.chain, network, async (endpoint) => {
      const facts = await this.endpoints.check(endpoint, network);
      return endpointFindings(endpointLabel(endpoint), network, facts, await this.clock.now());
    });
    const [first] = good;
    if (first === undefined) return [...findings, nobodyFinding()];
    return [...findings, ...(await this.contracts(network, good))];
  }

  private async contracts(
    network: NetworkConfiguration,
    good: readonly Endpoint[],
  ): Promise<NetworkCheckFinding[]> {
    const findings = await this.byAny(good, (endpoint) => this.factory(network, endpoint), 'factory');
    for (const { token, symbol, ...asset } of network.assets) {
      if (isNative({ token, symbol })) {
        const says = 'It is the native coin, which has no contract.';
        findings.push({ about: symbol, ...okResult('contract', says) });
        continue;
      }
      const ask = async (endpoint: Endpoint) => {
        const facts = await this.tokens.check(endpoint, token);
        const findings = tokenFindings({ token, symbol, ...asset }, facts);
        if (facts.decimals === null) return findings;
        const signatures = await answerOrRefusal(this.domains.probe(endpoint, token));
        const isSponsored = network.sponsoring !== undefined;
        return [...findings, { about: symbol, ...checkSignatureSupport(signatures, isSponsored) }];
      };
      findings.push(...(await this.byAny(good, ask, symbol)));
    }
    return findings;
  }

  private async factory(
    { network }: NetworkConfiguration,
    endpoint: Endpoint,
  ): Promise<NetworkCheckFinding[]> {
    const derivation = this.derivations.configured(network)!;
    const about = 'network';
    const facts = await this.chain.contractFacts(endpoint);
    const [problem, ...more] = factoryMismatches(derivation, facts);
    if (problem === undefined) {
      const says = `The factory ${derivation.factory} has the correct implementation and derives the expected addresses.`;
      return [{ about, ...okResult('factory', says) }];
    }
    const says = [problem, ...more].join(' ').replace(/^./, (letter) => letter.toUpperCase());
    const todo =
      facts.implementation !== null
        ? 'Correct the factory in NETWORKS_FILE. Never change the factory of a network in use.'
        : (await this.endpoints.hasDeployer(endpoint))
          ? `Run "network deploy ${network}".`
          : 'The deterministic deployer is missing too. Deploy it to this chain first.';
    return [{ about, ...wrongResult('factory', says, todo) }];
  }

  private async byAny(
    endpoints: readonly Endpoint[],
    ask: (endpoint: Endpoint) => Promise<NetworkCheckFinding[]>,
    about: string,
  ): Promise<NetworkCheckFinding[]> {
    let reason = '';
    for (const endpoint of endpoints) {
      const findings = await catchChainUnavailable(ask(endpoint));
      if (!(findings instanceof ChainUnavailable)) return findings;
      reason = findings.message;
    }
    const todo = 'Check again when the endpoints respond.';
    return [{ about, ...wrongResult('contract', `No endpoint responded: ${reason}`, todo) }];
  }
}

function nobodyFinding(): NetworkCheckFinding {
  const says = 'No endpoint is available to check the factory and the tokens.';
  return { about: 'network', ...wrongResult('chain', says, 'Correct rpc_urls first.') };
}
