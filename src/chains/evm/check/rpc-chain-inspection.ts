import { Injectable } from '@nestjs/common';
import { isNative } from '#shared/kernel/asset.js';
import type { BlockHeader } from '#contexts/networks/contract/chain-reader.js';
import { type ContractFacts, contractMismatches } from '../../forwarders/contract-facts.js';
import { readContractFacts } from '../../forwarders/read-contract-facts.js';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import { type ChainIdentity, KnownChains } from '#contexts/networks/domain/wrong-chain.js';
import { type EvmNetworkConfiguration, isEvm } from '../evm-network.js';
import { NetworksSettings } from '#contexts/networks/infrastructure/networks-settings.js';
import { readChainIdentity } from '../../ethereum-rpc/chain-identity.js';
import { EndpointPool } from '../../rpc/endpoint-pool.js';
import { PooledInspection } from '../../rpc/pooled-inspection.js';
import { ForwarderDerivations } from '../forwarders/forwarder-derivations.js';
import { JsonRpc } from '../../rpc/json-rpc.js';
import { NEWEST_HEADER_CALL } from '../../ethereum-rpc/block-answers.js';

@Injectable()
export class RpcChainInspection extends PooledInspection {
  constructor(
    private readonly settings: NetworksSettings,
    known: KnownChains,
    private readonly derivations: ForwarderDerivations,
    rpc: JsonRpc,
    pool: EndpointPool,
  ) {
    super(known, rpc, pool);
  }

  identity(endpoint: Endpoint): Promise<ChainIdentity> {
    return readChainIdentity(this.rpc, endpoint);
  }

  head(endpoint: Endpoint): Promise<BlockHeader> {
    return this.rpc.callOnce(endpoint, NEWEST_HEADER_CALL);
  }

  async configurationMismatches(endpoint: Endpoint): Promise<readonly string[]> {
    const { assets } = this.configuration(endpoint.network);
    return contractMismatches(
      this.derivations.configured(endpoint.network)!,
      assets,
      await this.contractFacts(endpoint),
    );
  }

  contractFacts(endpoint: Endpoint): Promise<ContractFacts> {
    const { assets } = this.configuration(endpoint.network);
    const tokens = assets.filter((asset) => !isNative(asset)).map(({ token }) => token);
    return readContractFacts(this.rpc, endpoint, this.derivations.configured(endpoint.network)!, tokens);
  }

  private configuration(network: string): EvmNetworkConfiguration {
    const found = this.settings.networks.filter(isEvm).find((candidate) => candidate.network === network);
    if (found === undefined) throw new Error(`${network} is not configured.`);
    return found;
  }
}
