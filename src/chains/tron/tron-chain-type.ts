import { Injectable } from '@nestjs/common';
import { ChainType } from '#contexts/networks/application/chain-types.js';
import type { Chain } from '#contexts/networks/contract/chains.js';
import type { NetworkConfiguration } from '#contexts/networks/domain/network-configuration.js';
import { NetworkReadiness } from '#contexts/networks/domain/network-readiness.js';
import { EndpointPool } from '../rpc/endpoint-pool.js';
import { JsonRpc } from '../rpc/json-rpc.js';
import { RpcChainReader } from '../rpc/reading/rpc-chain-reader.js';
import { RpcSecondEndpoint } from '../rpc/reading/rpc-second-endpoint.js';
import { TronDepositAddresses } from './addresses/tron-deposit-addresses.js';
import { TronForwarders } from './addresses/tron-forwarders.js';
import { TronPayoutAddressRules } from './addresses/tron-payout-address-rules.js';
import { TronChainInspection } from './check/tron-chain-inspection.js';
import { TronNetworkConfigurationCheck } from './check/tron-network-configuration-check.js';
import { TronBalances } from './reading/tron-balances.js';
import { TronBlocks } from './reading/tron-blocks.js';
import type { TronBlock } from './reading/tron-calls.js';
import { TronReceipts } from './reading/tron-receipts.js';
import { TronTransactionLookup } from './reading/tron-transaction-lookup.js';
import { type WatchedTron, WatchedTronNetworks } from './reading/watched-tron.js';
import { TRON, isTron } from './tron-network.js';
import { TronEndpoints } from './sending/tron-endpoints.js';
import { TronFactoryDeployment } from './sending/tron-factory-deployment.js';
import { TronOutboundChain } from './sending/tron-outbound-chain.js';
import { TronSettlementPlanning } from './sending/tron-settlement-planning.js';
import { TronTransferPlanning } from './sending/tron-transfer-planning.js';
import { TronTransferFeeEstimator } from './tron-transfer-fee-estimator.js';

/** Collects and settles payments by forwarders, as on EVM networks: docs/decisions/0072-tron.md. */
@Injectable()
export class TronChainType extends ChainType {
  readonly name = TRON;

  constructor(
    private readonly networks: WatchedTronNetworks,
    private readonly pool: EndpointPool,
    private readonly rpc: JsonRpc,
    private readonly blocks: TronBlocks,
    private readonly receipts: TronReceipts,
    private readonly balances: TronBalances,
    private readonly readiness: NetworkReadiness,
    readonly inspection: TronChainInspection,
    readonly examination: TronNetworkConfigurationCheck,
    readonly transferPricing: TronTransferFeeEstimator,
    private readonly endpoints: TronEndpoints,
    readonly sending: TronOutboundChain,
    readonly deployment: TronFactoryDeployment,
  ) {
    super();
  }

  chainOf(configuration: NetworkConfiguration): Chain {
    const { network } = configuration;
    if (!isTron(configuration)) throw new Error(`${network} is not a network of the chain type ${TRON}.`);
    const { networks, pool, rpc, blocks, receipts, balances, readiness } = this;
    const forwarders = new TronForwarders(configuration);
    const parts = [network, networks, pool, blocks, receipts, receipts, balances] as const;
    return {
      reader: new RpcChainReader<WatchedTron, TronBlock>(...parts),
      secondEndpoint: new RpcSecondEndpoint<WatchedTron, TronBlock>(...parts),
      lookup: new TronTransactionLookup(network, networks, pool, rpc, receipts),
      depositAddresses: new TronDepositAddresses(network, forwarders, readiness),
      payoutAddresses: new TronPayoutAddressRules(forwarders),
      settlementPlanning: new TronSettlementPlanning(network, forwarders, this.endpoints, rpc, this.sending),
      transferPlanning: new TronTransferPlanning(network, this.endpoints, rpc, this.sending),
    };
  }
}

export const TRON_NEST_PROVIDERS = [
  WatchedTronNetworks,
  TronBlocks,
  TronReceipts,
  TronBalances,
  TronChainInspection,
  TronNetworkConfigurationCheck,
  TronTransferFeeEstimator,
  TronEndpoints,
  TronOutboundChain,
  TronFactoryDeployment,
  TronChainType,
];
