import { Module } from '@nestjs/common';
import { ChainInspection } from './application/chain-inspection.js';
import { CheckNetwork } from './application/check-network.js';
import { DeployFactoryToNetwork } from './application/deploy-factory-to-network.js';
import { ExamineNetwork } from './application/examine-network.js';
import { FactoryDeployment } from './application/factory-deployment.js';
import { IdentifyEndpoint } from './application/identify-endpoint.js';
import { KnownChains } from './application/known-chains.js';
import { ListAssets } from './application/list-assets.js';
import { NetworkExamination } from './application/network-examination.js';
import { NetworksToCheck } from './application/networks-to-check.js';
import { ProveEndpoints } from './application/prove-endpoints.js';
import { ShowNetworks } from './application/show-networks.js';
import { ChainReader, SecondEndpoint } from './contract/chain-reader.js';
import { DepositAddresses } from './contract/deposit-addresses.js';
import { NetworkCatalogue } from './contract/network-catalogue.js';
import { TransactionLookup } from './contract/transaction-lookup.js';
import { NetworkGate } from './domain/network-gate.js';
import { EndpointBlocks } from './infrastructure/evm/reading/endpoint-blocks.js';
import { EndpointContents } from './infrastructure/evm/reading/endpoint-contents.js';
import { EndpointLogs } from './infrastructure/evm/reading/endpoint-logs.js';
import { EndpointPool } from './infrastructure/evm/endpoints/endpoint-pool.js';
import { EndpointProofs } from './infrastructure/evm/reading/endpoint-proofs.js';
import { ForwarderAddresses } from './infrastructure/evm/forwarders/forwarder-addresses.js';
import { ForwarderDerivations } from './infrastructure/evm/forwarders/forwarder-derivations.js';
import { IdentifiedNetworks } from './infrastructure/evm/endpoints/identified-networks.js';
import { JsonRpc } from './infrastructure/evm/rpc/json-rpc.js';
import { RpcChainInspection } from './infrastructure/evm/endpoints/rpc-chain-inspection.js';
import { RpcChainReader } from './infrastructure/evm/reading/rpc-chain-reader.js';
import { RpcSecondEndpoint } from './infrastructure/evm/reading/rpc-second-endpoint.js';
import { WatchedAssetsByNetwork } from './infrastructure/evm/reading/watched-assets.js';
import { RpcFactoryDeployment } from './infrastructure/evm/forwarders/rpc-factory-deployment.js';
import { RpcNetworkExamination } from './infrastructure/evm/examination/rpc-network-examination.js';
import { RpcTokenExamination } from './infrastructure/evm/examination/rpc-token-examination.js';
import { configuredNetworks } from './infrastructure/configuration/configured-networks.js';
import { RpcTransactionLookup } from './infrastructure/evm/reading/rpc-transaction-lookup.js';
import { ConfiguredCatalogue } from './infrastructure/configuration/configured-catalogue.js';
import { AssetController } from './infrastructure/http/asset.controller.js';
import { PostgresKnownChains } from './infrastructure/persistence/postgres-known-chains.js';
import { NetworksSettings } from './infrastructure/networks-settings.js';
import { NetworkChecks } from './infrastructure/work/network-checks.js';
import { networksInvariants } from './infrastructure/persistence/networks-invariants.js';
import { Invariants } from '../../shared/platform/invariants/registered-invariants.js';

/** Wants `NetworksSettings` and the platform. */
@Invariants(networksInvariants)
@Module({
  controllers: [AssetController],
  providers: [
    NetworkGate,
    JsonRpc,
    EndpointPool,
    WatchedAssetsByNetwork,
    IdentifiedNetworks,
    EndpointBlocks,
    EndpointLogs,
    EndpointContents,
    EndpointProofs,
    ForwarderDerivations,
    ProveEndpoints,
    CheckNetwork,
    IdentifyEndpoint,
    ExamineNetwork,
    DeployFactoryToNetwork,
    ShowNetworks,
    RpcTokenExamination,
    ListAssets,
    { provide: ChainInspection, useClass: RpcChainInspection },
    { provide: NetworkExamination, useClass: RpcNetworkExamination },
    { provide: FactoryDeployment, useClass: RpcFactoryDeployment },
    {
      provide: NetworksToCheck,
      inject: [NetworksSettings, ForwarderDerivations],
      useFactory: configuredNetworks,
    },
    { provide: KnownChains, useClass: PostgresKnownChains },
    { provide: NetworkCatalogue, useClass: ConfiguredCatalogue },
    { provide: ChainReader, useClass: RpcChainReader },
    { provide: SecondEndpoint, useClass: RpcSecondEndpoint },
    { provide: TransactionLookup, useClass: RpcTransactionLookup },
    { provide: DepositAddresses, useClass: ForwarderAddresses },
  ],
  exports: [
    NetworkCatalogue,
    ChainReader,
    SecondEndpoint,
    TransactionLookup,
    DepositAddresses,
    CheckNetwork,
    NetworkGate,
    NetworksToCheck,
  ],
})
export class NetworksModule {}

/** Opens each network's gate once its chain has been checked: for processes that take requests or read chains. */
@Module({ imports: [NetworksModule], providers: [NetworkChecks] })
export class NetworkChecksModule {}
