import { Module } from '@nestjs/common';
import { ChainFamilies } from './application/chain-families.js';
import { ChainInspection } from './application/chain-inspection.js';
import { CheckNetwork } from './application/check-network.js';
import { ConfiguredNetworks } from './application/configured-networks.js';
import { DeployFactoryToNetwork } from './application/deploy-factory-to-network.js';
import { ExamineNetwork } from './application/examine-network.js';
import { KnownChains } from './application/known-chains.js';
import { ListAssets } from './application/list-assets.js';
import { ProveEndpoints } from './application/prove-endpoints.js';
import { ShowNetworks } from './application/show-networks.js';
import { ChainReader, SecondEndpoint } from './contract/chain-reader.js';
import { DepositAddresses } from './contract/deposit-addresses.js';
import { NetworkCatalogue } from './contract/network-catalogue.js';
import { PayoutAddresses } from './contract/payout-addresses.js';
import { TransactionLookup } from './contract/transaction-lookup.js';
import { NetworkReadiness } from './domain/network-readiness.js';
import { ConfiguredCatalogue } from './infrastructure/configuration/configured-catalogue.js';
import { EvmFamily } from './infrastructure/evm/evm-family.js';
import { EVM_PROVIDERS } from './infrastructure/evm/evm-providers.js';
import { EvmFactoryDeployment } from './infrastructure/evm/forwarders/evm-factory-deployment.js';
import { ChainReaderByFamily, SecondEndpointByFamily } from './infrastructure/families/chain-by-family.js';
import {
  DepositAddressesByFamily,
  PayoutAddressesByFamily,
  TransactionLookupByFamily,
} from './infrastructure/families/contracts-by-family.js';
import { ExaminationByFamily, InspectionByFamily } from './infrastructure/families/inspection-by-family.js';
import { AssetController } from './infrastructure/http/asset.controller.js';
import { NetworksSettings } from './infrastructure/networks-settings.js';
import { PostgresKnownChains } from './infrastructure/persistence/postgres-known-chains.js';
import { NetworkChecks } from './infrastructure/work/network-checks.js';
import { networksInvariants } from './infrastructure/persistence/networks-invariants.js';
import { Invariants } from '../../shared/platform/invariants/registered-invariants.js';

/** Wants `NetworksSettings` and the platform. */
@Invariants(networksInvariants)
@Module({
  controllers: [AssetController],
  providers: [
    NetworkReadiness,
    ...EVM_PROVIDERS,
    {
      provide: ChainFamilies,
      inject: [NetworksSettings, EvmFamily],
      useFactory: ({ networks }: NetworksSettings, evm: EvmFamily) => new ChainFamilies(networks, [evm]),
    },
    {
      provide: ConfiguredNetworks,
      inject: [NetworksSettings],
      useFactory: ({ networks }: NetworksSettings) => new ConfiguredNetworks(networks),
    },
    ProveEndpoints,
    CheckNetwork,
    ShowNetworks,
    ListAssets,
    { provide: ChainInspection, useClass: InspectionByFamily },
    { provide: ExamineNetwork, useClass: ExaminationByFamily },
    { provide: DeployFactoryToNetwork, useExisting: EvmFactoryDeployment },
    { provide: KnownChains, useClass: PostgresKnownChains },
    { provide: NetworkCatalogue, useClass: ConfiguredCatalogue },
    { provide: ChainReader, useClass: ChainReaderByFamily },
    { provide: SecondEndpoint, useClass: SecondEndpointByFamily },
    { provide: TransactionLookup, useClass: TransactionLookupByFamily },
    { provide: DepositAddresses, useClass: DepositAddressesByFamily },
    { provide: PayoutAddresses, useClass: PayoutAddressesByFamily },
  ],
  exports: [
    NetworkCatalogue,
    ChainReader,
    SecondEndpoint,
    TransactionLookup,
    DepositAddresses,
    PayoutAddresses,
    CheckNetwork,
    NetworkReadiness,
    ConfiguredNetworks,
  ],
})
export class NetworksModule {}

/** Checks each network's chain from the start on: for processes that take requests or read chains. */
@Module({ imports: [NetworksModule], providers: [NetworkChecks] })
export class NetworkChecksModule {}
