import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { ChainType } from '#contexts/networks/application/chain-types.js';
import type { Chain } from '#contexts/networks/contract/chains.js';
import type { NetworkConfiguration } from '#contexts/networks/domain/network-configuration.js';
import { NetworkReadiness } from '#contexts/networks/domain/network-readiness.js';
import { EndpointPool } from '../rpc/endpoint-pool.js';
import { JsonRpc } from '../rpc/json-rpc.js';
import { EVM } from './evm-network.js';
import { IdentifiedNetworks } from './reading/watched-assets.js';
import { EvmNetworkConfigurationCheck } from './check/evm-network-configuration-check.js';
import { RpcChainInspection } from './check/rpc-chain-inspection.js';
import { RpcEndpointCheck } from './check/rpc-endpoint-check.js';
import { RpcTokenCheck } from './check/rpc-token-check.js';
import { EvmPayoutAddressRules } from './forwarders/evm-payout-address-rules.js';
import { EvmFactoryDeployment } from './forwarders/evm-factory-deployment.js';
import { ForwarderAddresses } from './forwarders/forwarder-addresses.js';
import { ForwarderDerivations } from './forwarders/forwarder-derivations.js';
import { AuthorizationQueries } from './authorizations/authorization-queries.js';
import { EvmAuthorizedTransfers } from './authorizations/evm-authorized-transfers.js';
import { TokenSignatureProbe } from './authorizations/token-signature-probe.js';
import { EvmTransferFeeEstimator } from './outbound/evm-transfer-fee-estimator.js';
import { EvmTransferPlanning } from './outbound/evm-transfer-planning.js';
import { RpcTransferSimulation } from './outbound/rpc-transfer-simulation.js';
import { VerifiedEndpoints } from './check/verified-endpoints.js';
import { NonceSearch } from './outbound/nonce-search.js';
import { EndpointAccountQueries } from './outbound/endpoint-account-queries.js';
import { SenderKeys } from '#contexts/networks/application/outbound/sender-keys.js';
import { RpcOutboundChain } from './outbound/rpc-outbound-chain.js';
import { EndpointBlocks } from './reading/endpoint-blocks.js';
import { EndpointBlockContents } from './reading/endpoint-block-contents.js';
import { EndpointLogs } from './reading/logs/endpoint-logs.js';
import { EndpointBalances } from './reading/endpoint-balances.js';
import { EndpointReceiptProofs } from './reading/endpoint-receipt-proofs.js';
import { FullBlocks } from './reading/full-blocks.js';
import { LargeBlockLogs } from './reading/logs/large-block-logs.js';
import { TransactionReceipts } from './reading/transaction-receipts.js';
import { RpcChainReader } from '../rpc/reading/rpc-chain-reader.js';
import { RpcSecondEndpoint } from '../rpc/reading/rpc-second-endpoint.js';
import { RpcTransactionLookup } from './reading/rpc-transaction-lookup.js';
import { EvmSettlementPlanning } from './settling/evm-settlement-planning.js';
import { RpcSettlementFacts } from './settling/rpc-settlement-facts.js';
import { RpcSettlementSimulation } from './settling/rpc-settlement-simulation.js';

@Injectable()
export class EvmChainType extends ChainType {
  readonly name = EVM;

  constructor(
    private readonly networks: IdentifiedNetworks,
    private readonly pool: EndpointPool,
    private readonly rpc: JsonRpc,
    private readonly blocks: EndpointBlocks,
    private readonly contents: EndpointBlockContents,
    private readonly proofs: EndpointReceiptProofs,
    private readonly balances: EndpointBalances,
    private readonly derivations: ForwarderDerivations,
    private readonly readiness: NetworkReadiness,
    readonly inspection: RpcChainInspection,
    readonly examination: EvmNetworkConfigurationCheck,
    readonly deployment: EvmFactoryDeployment,
    private readonly endpoints: VerifiedEndpoints,
    private readonly settlementFacts: RpcSettlementFacts,
    private readonly settlementSimulation: RpcSettlementSimulation,
    readonly sending: RpcOutboundChain,
    private readonly transferSimulation: RpcTransferSimulation,
    private readonly domains: TokenSignatureProbe,
    private readonly authorizationQueries: AuthorizationQueries,
    private readonly keys: SenderKeys,
    private readonly clock: Clock,
    readonly transferPricing: EvmTransferFeeEstimator,
  ) {
    super();
  }

  chainOf({ network }: NetworkConfiguration): Chain {
    const { networks, pool, rpc, blocks, contents, proofs, balances, derivations, readiness } = this;
    return {
      reader: new RpcChainReader(network, networks, pool, blocks, contents, proofs, balances),
      secondEndpoint: new RpcSecondEndpoint(network, networks, pool, blocks, contents, proofs, balances),
      lookup: new RpcTransactionLookup(network, networks, pool, rpc),
      depositAddresses: new ForwarderAddresses(network, derivations, readiness),
      payoutAddresses: new EvmPayoutAddressRules(network, derivations),
      settlementPlanning: new EvmSettlementPlanning(
        ...([network, pool, this.endpoints, derivations] as const),
        ...([this.settlementFacts, this.settlementSimulation, this.sending] as const),
      ),
      transferPlanning: new EvmTransferPlanning(
        ...([network, this.endpoints, rpc, this.transferSimulation, this.sending] as const),
      ),
      authorizedTransfers: new EvmAuthorizedTransfers(
        ...([network, this.endpoints, rpc, this.domains, this.authorizationQueries] as const),
        ...([this.transferSimulation, this.sending, this.keys, this.clock] as const),
      ),
    };
  }
}

export const EVM_NEST_PROVIDERS = [
  IdentifiedNetworks,
  FullBlocks,
  EndpointBlocks,
  TransactionReceipts,
  LargeBlockLogs,
  EndpointLogs,
  EndpointBlockContents,
  EndpointReceiptProofs,
  EndpointBalances,
  ForwarderDerivations,
  VerifiedEndpoints,
  EndpointAccountQueries,
  NonceSearch,
  RpcOutboundChain,
  RpcTransferSimulation,
  TokenSignatureProbe,
  AuthorizationQueries,
  EvmTransferFeeEstimator,
  EvmFactoryDeployment,
  RpcChainInspection,
  RpcEndpointCheck,
  RpcTokenCheck,
  EvmNetworkConfigurationCheck,
  RpcSettlementFacts,
  RpcSettlementSimulation,
  EvmChainType,
];
