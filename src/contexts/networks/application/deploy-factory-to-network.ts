import { Injectable } from '@nestjs/common';
import { DomainError, invalidField } from '../../../shared/kernel/domain-error.js';
import { ChainUnavailable } from '../contract/chain-reader.js';
import { factoryMismatches } from '../domain/chain-facts.js';
import type { Endpoint } from '../domain/endpoint.js';
import { ChainInspection } from './chain-inspection.js';
import type { NetworkToCheck } from './check-network.js';
import { type DeploymentPlan, FactoryDeployment } from './factory-deployment.js';
import { IdentifyEndpoint } from './identify-endpoint.js';

const PRIVATE_KEY = /^0x[0-9a-fA-F]{64}$/;

export interface FactoryOrder {
  network: NetworkToCheck;
  /** Of the account that pays the gas; null where nothing is to be sent. */
  key: string | null;
  send: boolean;
}

export interface FactoryOutcome extends DeploymentPlan {
  readonly outcome: 'already_there' | 'planned' | 'deployer_missing' | 'deployed';
  readonly transactionHash: string | null;
}

/** Shows what bringing the factory to a network takes, and does it when told to. */
@Injectable()
export class DeployFactoryToNetwork {
  constructor(
    private readonly chain: ChainInspection,
    private readonly identify: IdentifyEndpoint,
    private readonly deployment: FactoryDeployment,
  ) {}

  /** @throws validation_failed, state_conflict, unavailable; Error where the transaction fails */
  async execute({ network, key, send }: FactoryOrder): Promise<FactoryOutcome> {
    if (key !== null && !PRIVATE_KEY.test(key)) {
      throw invalidField('key', 'private_key', 'must be one private key: 64 hexadecimal digits.');
    }
    const endpoint = await this.endpoint(network);
    const plan = await this.deployment.plan(endpoint, key);
    if (plan.factory !== network.derivation.factory) throw configuredOtherwise(network, plan);
    if (plan.isThere) {
      await this.verify(network, endpoint);
      return { ...plan, outcome: 'already_there', transactionHash: null };
    }
    if (!plan.hasDeployer) return { ...plan, outcome: 'deployer_missing', transactionHash: null };
    if (!send) return { ...plan, outcome: 'planned', transactionHash: null };
    if (key === null)
      throw invalidField('key', 'required', 'is wanted to send: name the file that holds it.');
    const transactionHash = await this.send(network, endpoint, key, plan);
    await this.verify(network, endpoint);
    return { ...plan, isThere: true, outcome: 'deployed', transactionHash };
  }

  private send(
    { configuration }: NetworkToCheck,
    endpoint: Endpoint,
    key: string,
    { sender, limits }: DeploymentPlan,
  ): Promise<string> {
    if (sender === undefined || limits === undefined)
      throw new Error('The plan of a key lacks what it costs.');
    if (sender.balance < limits.cost) {
      throw new DomainError(
        'conflict',
        'state_conflict',
        `${sender.address} holds ${sender.balance} wei, and up to ${limits.cost} are needed. Nothing was sent.`,
      );
    }
    return this.deployment.send(endpoint, key, configuration.chainId, limits);
  }

  /** The first that serves the network's chain: a key must not pay on another. */
  private async endpoint({ configuration }: NetworkToCheck): Promise<Endpoint> {
    const reasons: string[] = [];
    for (const endpoint of this.chain.endpoints(configuration.network)) {
      try {
        const { foreign } = await this.identify.execute(configuration, endpoint);
        if (foreign === null) return endpoint;
        reasons.push(foreign.message);
      } catch (error) {
        if (!(error instanceof ChainUnavailable)) throw error;
        reasons.push(error.message);
      }
    }
    throw new DomainError('unavailable', 'unavailable', `No endpoint can be used. ${reasons.join(' ')}`);
  }

  private async verify({ derivation }: NetworkToCheck, endpoint: Endpoint): Promise<void> {
    const problems = factoryMismatches(derivation, await this.chain.contracts(endpoint));
    if (problems.length > 0) throw new DomainError('conflict', 'state_conflict', problems.join(' '));
  }
}

function configuredOtherwise(
  { configuration, derivation }: NetworkToCheck,
  plan: DeploymentPlan,
): DomainError {
  return new DomainError(
    'conflict',
    'state_conflict',
    `Network ${configuration.network} is configured with the factory ${derivation.factory}; this release brings its own ` +
      `to ${plan.factory}. Take factory out of its configuration to use that one; never do so once it is in use.`,
  );
}
