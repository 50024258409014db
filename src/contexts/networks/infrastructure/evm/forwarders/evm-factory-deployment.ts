import { Injectable } from '@nestjs/common';
import { DomainError, invalidField } from '../../../../../shared/kernel/domain-error.js';
import { ChainUnavailable } from '../../../contract/chain-reader.js';
import { factoryMismatches } from './contract-facts.js';
import type { Endpoint } from '../../../domain/endpoint.js';
import {
  type DeploymentPlan,
  FactoryDeployment,
  type FactoryOrder,
  type FactoryOutcome,
} from '../../../application/factory-deployment.js';
import type { NetworkConfiguration } from '../../../domain/network-configuration.js';
import { orUnavailable } from '../../../application/or-unavailable.js';
import { RpcChainInspection } from '../examination/rpc-chain-inspection.js';
import { ForwarderDerivations } from './forwarder-derivation.js';
import type { ForwarderDerivation } from './forwarder-derivation.js';
import { RpcFactoryDeployment } from './rpc-factory-deployment.js';

const PRIVATE_KEY = /^0x[0-9a-fA-F]{64}$/;

@Injectable()
export class EvmFactoryDeployment extends FactoryDeployment {
  constructor(
    private readonly chain: RpcChainInspection,
    private readonly derivations: ForwarderDerivations,
    private readonly deployment: RpcFactoryDeployment,
  ) {
    super();
  }

  async execute({ network, key, send }: FactoryOrder): Promise<FactoryOutcome> {
    const derivation = this.derivations.of(network.network)!;
    if (key !== null && !PRIVATE_KEY.test(key)) {
      throw invalidField('key', 'private_key', 'must be one private key: 64 hexadecimal digits.');
    }
    const endpoint = await this.endpoint(network);
    const plan = await this.deployment.plan(endpoint, key);
    if (plan.factory !== derivation.factory) {
      throw conflict(
        `Network ${network.network} is configured with the factory ${derivation.factory}; this release brings its own ` +
          `to ${plan.factory}. Take factory out of its configuration to use that one; never do so once it is in use.`,
      );
    }
    if (plan.isThere) {
      await this.verify(derivation, endpoint);
      return { ...plan, outcome: 'already_there', transactionHash: null };
    }
    if (!plan.hasDeployer) return { ...plan, outcome: 'deployer_missing', transactionHash: null };
    if (!send) return { ...plan, outcome: 'planned', transactionHash: null };
    if (key === null)
      throw invalidField('key', 'required', 'is wanted to send: name the file that holds it.');
    const transactionHash = await this.send(network, endpoint, key, plan);
    await this.verify(derivation, endpoint);
    return { ...plan, isThere: true, outcome: 'deployed', transactionHash };
  }

  private send(
    { chainId }: NetworkConfiguration,
    endpoint: Endpoint,
    key: string,
    { sender, limits }: DeploymentPlan,
  ): Promise<string> {
    if (sender === undefined || limits === undefined)
      throw new Error('The plan of a key lacks what it costs.');
    if (sender.balance < limits.cost) {
      throw conflict(
        `${sender.address} holds ${sender.balance} wei, and up to ${limits.cost} are needed. Nothing was sent.`,
      );
    }
    return this.deployment.send(endpoint, key, chainId, limits);
  }

  /** The first that serves the network's chain: a key must not pay on another. */
  private async endpoint(configuration: NetworkConfiguration): Promise<Endpoint> {
    const reasons: string[] = [];
    for (const endpoint of this.chain.endpoints(configuration.network)) {
      const found = await orUnavailable(this.chain.identified(configuration, endpoint));
      const failure = found instanceof ChainUnavailable ? found : found.foreign;
      if (failure === null) return endpoint;
      reasons.push(failure.message);
    }
    throw new DomainError('unavailable', 'unavailable', `No endpoint can be used. ${reasons.join(' ')}`);
  }

  private async verify(derivation: ForwarderDerivation, endpoint: Endpoint): Promise<void> {
    const problems = factoryMismatches(derivation, await this.chain.contracts(endpoint));
    if (problems.length > 0) throw conflict(problems.join(' '));
  }
}

function conflict(message: string): DomainError {
  return new DomainError('conflict', 'state_conflict', message);
}
