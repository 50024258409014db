import { Injectable } from '@nestjs/common';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils';
import { keccak_256 } from '@noble/hashes/sha3';
import { stateConflict } from '#shared/kernel/domain-error.js';
import { type FactoryDeploymentPlan, FactoryDeployment } from '#contexts/networks/application/chain-types.js';
import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import type { NetworkConfiguration } from '#contexts/networks/domain/network-configuration.js';
import { contractArtifact } from '../../forwarders/forwarder-artifacts.js';
import { factoryMismatches } from '../../forwarders/contract-facts.js';
import { JsonRpc } from '../../rpc/json-rpc.js';
import { hexOfTronAddress, spellAddresses, tronAddress } from '../addresses/tron-address.js';
import { TronForwarders } from '../addresses/tron-forwarders.js';
import { TronChainInspection } from '../check/tron-chain-inspection.js';
import { receiptCall } from '../reading/tron-calls.js';
import { MISSING_FACTORY, TRX, type TronNetworkConfiguration } from '../tron-network.js';
import { TronEndpoints } from './tron-endpoints.js';
import { CREATION_ADDRESS } from './tron-transaction.js';

/** Energy to create the factory and its implementation: 200 for each byte of code, and execution (measured: 2.2 million). */
const CREATION_ENERGY = 4_000_000n;

/** The factory's address depends on the transaction that creates it, so it is configured after the deployment. */
@Injectable()
export class TronFactoryDeployment extends FactoryDeployment {
  constructor(
    private readonly inspection: TronChainInspection,
    private readonly endpoints: TronEndpoints,
    private readonly rpc: JsonRpc,
  ) {
    super();
  }

  async plan({ network }: NetworkConfiguration): Promise<FactoryDeploymentPlan> {
    const configuration = this.endpoints.configuration(network);
    const { factory } = configuration;
    const common = { deployer: null, hasDeployer: true, nativeDecimals: TRX.decimals };
    if (factory === MISSING_FACTORY) {
      const data = factoryCreation(configuration);
      const call = { to: CREATION_ADDRESS, data, gasLimit: CREATION_ENERGY };
      return { ...common, factory: null, implementation: null, isThere: false, call };
    }
    await this.refuseMismatches(configuration);
    const { implementation } = new TronForwarders(configuration);
    return { ...common, factory, implementation, isThere: true };
  }

  async verify(
    { network }: NetworkConfiguration,
    transaction: { readonly hash: string; readonly sender: string },
  ): Promise<{ factory: string; implementation: string }> {
    const created = createdAddress(transaction);
    const configuration = { ...this.endpoints.configuration(network), factory: created };
    await this.endpoints.agreed(network, async (endpoint) => {
      const receipt = await this.rpc.callOnce(endpoint, receiptCall(transaction.hash));
      if (receipt === null) throw new ChainUnavailable(network, `it has no receipt for ${transaction.hash}.`);
      return receipt.succeeded;
    });
    await this.refuseMismatches(configuration);
    return { factory: created, implementation: new TronForwarders(configuration).implementation };
  }

  private async refuseMismatches(configuration: TronNetworkConfiguration): Promise<void> {
    const { inHex } = new TronForwarders(configuration);
    const facts = await this.endpoints.first(configuration.network, (endpoint) =>
      this.inspection.contractFacts(endpoint, configuration),
    );
    const problems = factoryMismatches(inHex, facts);
    if (problems.length > 0) throw stateConflict(spellAddresses(problems.join(' ')));
  }
}

function factoryCreation({ create2Prefix }: TronNetworkConfiguration): `0x${string}` {
  const prefix = create2Prefix.toString(16).padStart(2, '0').padEnd(64, '0');
  return `${contractArtifact('TronForwarderFactory').bytecode}${prefix}`;
}

/** TIP-26: CREATE by a transaction hashes its id and its owner. */
function createdAddress({ hash, sender }: { readonly hash: string; readonly sender: string }): string {
  const preimage = hexToBytes(`${hash}41${hexOfTronAddress(sender)!.slice(2)}`);
  return tronAddress(`0x${bytesToHex(keccak_256(preimage).subarray(12))}`);
}
