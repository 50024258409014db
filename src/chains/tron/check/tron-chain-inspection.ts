import { Injectable } from '@nestjs/common';
import type { BlockHeader } from '#contexts/networks/contract/chain-reader.js';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import { type ChainIdentity, KnownChains } from '#contexts/networks/domain/wrong-chain.js';
import { NetworksSettings } from '#contexts/networks/infrastructure/networks-settings.js';
import { NEWEST_HEADER_CALL } from '../../ethereum-rpc/block-answers.js';
import { readChainIdentity } from '../../ethereum-rpc/chain-identity.js';
import { type ContractFacts, contractMismatches } from '../../forwarders/contract-facts.js';
import { readContractFacts } from '../../forwarders/read-contract-facts.js';
import { EndpointPool } from '../../rpc/endpoint-pool.js';
import { JsonRpc } from '../../rpc/json-rpc.js';
import { PooledInspection } from '../../rpc/pooled-inspection.js';
import { evmSpelling, spellAddresses, tronAddress } from '../addresses/tron-address.js';
import { TronForwarders } from '../addresses/tron-forwarders.js';
import { type TronNetworkConfiguration, isTron } from '../tron-network.js';

@Injectable()
export class TronChainInspection extends PooledInspection {
  private readonly configurations: ReadonlyMap<string, TronNetworkConfiguration>;

  constructor({ networks }: NetworksSettings, known: KnownChains, rpc: JsonRpc, pool: EndpointPool) {
    super(known, rpc, pool);
    this.configurations = new Map(networks.filter(isTron).map((each) => [each.network, each]));
  }

  identity(endpoint: Endpoint): Promise<ChainIdentity> {
    return readChainIdentity(this.rpc, endpoint);
  }

  head(endpoint: Endpoint): Promise<BlockHeader> {
    return this.rpc.callOnce(endpoint, NEWEST_HEADER_CALL);
  }

  async configurationMismatches(endpoint: Endpoint): Promise<readonly string[]> {
    const configuration = this.configurations.get(endpoint.network)!;
    const { inHex } = new TronForwarders(configuration);
    const facts = await this.contractFacts(endpoint, configuration);
    return contractMismatches(inHex, configuration.assets, facts).map(spellAddresses);
  }

  /** Tokens are spelled as in the asset catalogue. */
  async contractFacts(
    endpoint: Endpoint,
    { assets, ...configuration }: TronNetworkConfiguration,
  ): Promise<ContractFacts> {
    const tokens = assets.map(({ token }) => evmSpelling(token));
    const { inHex } = new TronForwarders(configuration);
    const { decimals, ...facts } = await readContractFacts(this.rpc, endpoint, inHex, tokens);
    return {
      ...facts,
      decimals: new Map([...decimals].map(([token, value]) => [tronAddress(token), value])),
    };
  }
}
