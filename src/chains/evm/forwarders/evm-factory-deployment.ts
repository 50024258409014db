import { Injectable } from '@nestjs/common';
import { bytesToHex } from '@noble/hashes/utils';
import { stateConflict, unavailable } from '#shared/kernel/domain-error.js';
import { ChainUnavailable, catchChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import type { NetworkConfiguration } from '#contexts/networks/domain/network-configuration.js';
import { type FactoryDeploymentPlan, FactoryDeployment } from '#contexts/networks/application/chain-types.js';
import { NATIVE_DECIMALS } from '../evm-network.js';
import { RpcChainInspection } from '../check/rpc-chain-inspection.js';
import { readBytes } from '../../ethereum-rpc/contract-calls.js';
import { readAmount } from '../../ethereum-rpc/hex-fields.js';
import { JsonRpc } from '../../rpc/json-rpc.js';
import { factoryMismatches } from '../../forwarders/contract-facts.js';
import {
  DETERMINISTIC_DEPLOYER,
  FACTORY_SALT,
  currentFactoryAddress,
  factoryCreationCode,
  implementationOf,
} from '../../forwarders/forwarder-artifacts.js';
import { ForwarderDerivations } from './forwarder-derivations.js';

@Injectable()
export class EvmFactoryDeployment extends FactoryDeployment {
  constructor(
    private readonly chain: RpcChainInspection,
    private readonly derivations: ForwarderDerivations,
    private readonly rpc: JsonRpc,
  ) {
    super();
  }

  async plan(network: NetworkConfiguration, payer: string | null): Promise<FactoryDeploymentPlan> {
    const configured = this.derivations.configured(network.network)!.factory;
    const factory = currentFactoryAddress();
    const endpoint = await this.endpoint(network);
    if (factory !== configured) {
      throw stateConflict(
        `Network ${network.network} is configured with the factory ${configured}, but this release deploys its own factory ` +
          `to ${factory}. To use that factory, remove factory from the configuration of the network. Never do so if the network is in use.`,
      );
    }
    const isThere = await this.hasCode(endpoint, factory);
    if (isThere) await this.verifyAt(network, endpoint);
    const hasDeployer = isThere || (await this.hasCode(endpoint, DETERMINISTIC_DEPLOYER));
    return {
      factory,
      implementation: implementationOf(factory),
      deployer: DETERMINISTIC_DEPLOYER,
      isThere,
      hasDeployer,
      nativeDecimals: NATIVE_DECIMALS,
      ...(!isThere && hasDeployer && { call: await this.call(endpoint, payer) }),
    };
  }

  async verify(network: NetworkConfiguration): Promise<{ factory: string; implementation: string }> {
    await this.verifyAt(network, await this.endpoint(network));
    const factory = currentFactoryAddress();
    return { factory, implementation: implementationOf(factory) };
  }

  private async verifyAt({ network }: NetworkConfiguration, endpoint: Endpoint): Promise<void> {
    const problems = factoryMismatches(
      this.derivations.configured(network)!,
      await this.chain.contractFacts(endpoint),
    );
    if (problems.length > 0) throw stateConflict(problems.join(' '));
  }

  private async call(endpoint: Endpoint, payer: string | null) {
    const transaction = factoryTransaction();
    const needed = await this.rpc.call(endpoint, {
      method: 'eth_estimateGas',
      params: [{ ...transaction, ...(payer !== null && { from: payer }) }],
      read: (answer) => readAmount(answer, 'gas'),
    });
    return { ...transaction, gasLimit: (needed * 6n) / 5n };
  }

  private async hasCode(endpoint: Endpoint, address: string): Promise<boolean> {
    const code = await this.rpc.call(endpoint, {
      method: 'eth_getCode',
      isLong: true,
      params: [address, 'latest'],
      read: readBytes,
    });
    return code !== '0x';
  }

  private async endpoint(configuration: NetworkConfiguration): Promise<Endpoint> {
    const reasons: string[] = [];
    for (const endpoint of this.chain.endpoints(configuration.network)) {
      const found = await catchChainUnavailable(this.chain.identify(configuration, endpoint));
      const failure = found instanceof ChainUnavailable ? found : found.foreign;
      if (failure === null) return endpoint;
      reasons.push(failure.message);
    }
    throw unavailable(`No endpoint can be used. ${reasons.join(' ')}`);
  }
}

export function factoryTransaction(): { to: `0x${string}`; data: `0x${string}` } {
  const data = `0x${bytesToHex(FACTORY_SALT)}${factoryCreationCode().slice(2)}` as const;
  return { to: DETERMINISTIC_DEPLOYER, data };
}
