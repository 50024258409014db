import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { isNative } from '#shared/kernel/asset.js';
import { ChainUnavailable, orUnavailable } from '#contexts/networks/contract/chain-reader.js';
import { factoryMismatches } from '../forwarders/contract-facts.js';
import { type Endpoint, endpointLabel } from '#contexts/networks/domain/endpoint.js';
import { examineEndpoints } from '../../rpc/examine-endpoints.js';
import { endpointFindings } from './endpoint-facts.js';
import { type Finding, ok, wrong } from '#contexts/networks/domain/finding.js';
import { tokenFindings } from './token-facts.js';
import { checkSignature } from '../authorizations/token-domain-facts.js';
import { TokenDomains } from '../authorizations/token-domains.js';
import { answerOrRefusal } from '../../rpc/rpc-failures.js';
import { NetworkExamination } from '#contexts/networks/application/chain-types.js';
import type { NetworkConfiguration } from '#contexts/networks/domain/network-configuration.js';
import { ForwarderDerivations } from '../forwarders/forwarder-derivation.js';
import { RpcChainInspection } from './rpc-chain-inspection.js';
import { RpcEndpointExamination } from './rpc-endpoint-examination.js';
import { RpcTokenExamination } from './rpc-token-examination.js';

@Injectable()
export class EvmNetworkExamination extends NetworkExamination {
  constructor(
    private readonly clock: Clock,
    private readonly chain: RpcChainInspection,
    private readonly derivations: ForwarderDerivations,
    private readonly endpoints: RpcEndpointExamination,
    private readonly tokens: RpcTokenExamination,
    private readonly domains: TokenDomains,
  ) {
    super();
  }

  async examine(network: NetworkConfiguration): Promise<Finding[]> {
    const { findings, good } = await examineEndpoints(this.chain, network, async (endpoint) => {
      const facts = await this.endpoints.examine(endpoint, network);
      return endpointFindings(endpointLabel(endpoint), network, facts, await this.clock.now());
    });
    const [first] = good;
    if (first === undefined) return [...findings, nobodyFinding()];
    return [...findings, ...(await this.contracts(network, good))];
  }

  private async contracts(network: NetworkConfiguration, good: readonly Endpoint[]): Promise<Finding[]> {
    const findings = await this.byAny(good, (endpoint) => this.factory(network, endpoint), 'factory');
    for (const { token, symbol, ...asset } of network.assets) {
      if (isNative({ token, symbol })) {
        const says = 'It is the native coin, which has no contract.';
        findings.push({ about: symbol, ...ok('contract', says) });
        continue;
      }
      const ask = async (endpoint: Endpoint) => {
        const facts = await this.tokens.examine(endpoint, token);
        const findings = tokenFindings({ token, symbol, ...asset }, facts);
        if (facts.decimals === null) return findings;
        const signatures = await answerOrRefusal(this.domains.read(endpoint, token));
        const isSponsored = network.sponsoring !== undefined;
        return [...findings, { about: symbol, ...checkSignature(signatures, isSponsored) }];
      };
      findings.push(...(await this.byAny(good, ask, symbol)));
    }
    return findings;
  }

  private async factory({ network }: NetworkConfiguration, endpoint: Endpoint): Promise<Finding[]> {
    const derivation = this.derivations.configured(network)!;
    const about = 'network';
    const facts = await this.chain.contracts(endpoint);
    const [problem, ...more] = factoryMismatches(derivation, facts);
    if (problem === undefined) {
      const says = `The factory ${derivation.factory} has the correct implementation and derives the expected addresses.`;
      return [{ about, ...ok('factory', says) }];
    }
    const says = [problem, ...more].join(' ').replace(/^./, (letter) => letter.toUpperCase());
    const todo =
      facts.implementation !== null
        ? 'Correct the factory in NETWORKS_FILE. Never change the factory of a network in use.'
        : (await this.endpoints.hasDeployer(endpoint))
          ? `Run "network deploy ${network}".`
          : 'The deterministic deployer is missing too. Deploy it to this chain first.';
    return [{ about, ...wrong('factory', says, todo) }];
  }

  private async byAny(
    endpoints: readonly Endpoint[],
    ask: (endpoint: Endpoint) => Promise<Finding[]>,
    about: string,
  ): Promise<Finding[]> {
    let reason = '';
    for (const endpoint of endpoints) {
      const findings = await orUnavailable(ask(endpoint));
      if (!(findings instanceof ChainUnavailable)) return findings;
      reason = findings.message;
    }
    const todo = 'Check again when the endpoints respond.';
    return [{ about, ...wrong('contract', `No endpoint responded: ${reason}`, todo) }];
  }
}

function nobodyFinding(): Finding {
  const says = 'No endpoint is available to check the factory and the tokens.';
  return { about: 'network', ...wrong('chain', says, 'Correct rpc_urls first.') };
}
