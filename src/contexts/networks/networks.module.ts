import { Module } from '@nestjs/common';
import { ChainTypes, type ChainType } from './application/chain-types.js';
import { CheckNetworkReadiness } from './application/check-network-readiness.js';
import { KnownChains } from './domain/wrong-chain.js';
import { ListAssets } from './application/list-assets.js';
import { AdvanceOutboundTransactions } from './application/outbound/advance-outbound-transactions.js';
import { AdvanceOutboundTransaction } from './application/outbound/advance-outbound-transaction.js';
import { CancelOutboundTransaction } from './application/outbound/cancel-outbound-transaction.js';
import { DeployFactory } from './application/outbound/deploy-factory.js';
import { SendOutboundTransaction } from './application/outbound/send-outbound-transaction.js';
import { OutboundChain } from './application/outbound/outbound-chain.js';
import { ReconcileSender } from './application/outbound/reconcile-sender.js';
import { SenderHolds } from './application/outbound/sender-holds.js';
import {
  VerifyAuthorizedTransferCall,
  VerifyCallBeforeSigning,
} from './application/outbound/verify-call-before-signing.js';
import { OutboundTransactions } from './application/outbound/outbound-transactions.js';
import { ShowSenders } from './application/outbound/show-senders.js';
import { VerifyEndpoints } from './application/verify-endpoints.js';
import { ShowNetworks } from './application/show-networks.js';
import { Chains } from './contract/chains.js';
import { AcceptedTransferAuthorizations } from './contract/authorized-transfers.js';
import { NetworkCatalogue } from './contract/network-catalogue.js';
import { TransferOrders } from './contract/transfer-orders.js';
import { SettlementPolicies } from './contract/settlement-policies.js';
import { OutboundTransactionSender } from './contract/outbound-transaction-sender.js';
import { TransferFees } from './contract/transfer-fees.js';
import { NetworkReadiness } from './domain/network-readiness.js';
import {
  ConfiguredSettlementPolicies,
  ConfiguredCatalogue,
} from './infrastructure/configuration/configured-catalogue.js';
import { outboundChainByChainType } from './infrastructure/outbound-by-chain-type.js';
import { ENDPOINT_NEST_PROVIDERS, CHAIN_TYPES } from '#chains/installed-chain-types.js';
import { CachedTransferFees } from './infrastructure/cached-transfer-fees.js';
import { AssetController } from './infrastructure/http/asset.controller.js';
import { NetworksSettings } from './infrastructure/networks-settings.js';
import { PostgresKnownChains } from './infrastructure/persistence/postgres-known-chains.js';
import { PostgresOutboundTransactions } from './infrastructure/persistence/postgres-outbound-transactions.js';
import {
  outboundTransactionInvariants,
  networksInvariants,
} from './infrastructure/persistence/networks-invariants.js';
import { EndpointMetrics } from '#chains/rpc/endpoint-metrics.js';
import { GasKeyMetrics } from './infrastructure/work/gas-key-metrics.js';
import { NetworkReadinessChecks } from './infrastructure/work/network-readiness-checks.js';
import { ReportSenderHolds } from './infrastructure/work/report-sender-holds.js';
import { OutboundWorkers } from './infrastructure/work/outbound-workers.js';
import { RegisterInvariants } from '#shared/platform/invariants/registered-invariants.js';

/**
 * Without `TransferOrders`, no float key signs. Without `AcceptedTransferAuthorizations`, the gas key sends no authorized
 * transfers.
 */
@RegisterInvariants([...networksInvariants, ...outboundTransactionInvariants])
@Module({
  controllers: [AssetController],
  providers: [
    NetworkReadiness,
    ...ENDPOINT_NEST_PROVIDERS,
    ...CHAIN_TYPES.flatMap(({ providers }) => providers),
    {
      provide: ChainTypes,
      inject: [NetworksSettings, ...CHAIN_TYPES.map(({ family }) => family)],
      useFactory: ({ networks }: NetworksSettings, ...chainTypes: ChainType[]) =>
        new ChainTypes(networks, chainTypes),
    },
    VerifyEndpoints,
    CheckNetworkReadiness,
    ShowNetworks,
    ListAssets,
    { provide: KnownChains, useClass: PostgresKnownChains },
    { provide: NetworkCatalogue, useClass: ConfiguredCatalogue },
    { provide: OutboundTransactions, useClass: PostgresOutboundTransactions },
    { provide: OutboundChain, inject: [ChainTypes], useFactory: outboundChainByChainType },
    {
      provide: VerifyCallBeforeSigning,
      inject: [
        ...([OutboundChain, Chains, NetworkCatalogue] as const),
        { token: TransferOrders, optional: true },
        { token: AcceptedTransferAuthorizations, optional: true },
      ],
      useFactory: (
        outbound: OutboundChain,
        chains: Chains,
        catalogue: NetworkCatalogue,
        transfers: TransferOrders | undefined,
        authorizations: AcceptedTransferAuthorizations | undefined,
      ) =>
        new VerifyCallBeforeSigning(
          ...([outbound, chains, catalogue, transfers ?? null] as const),
          new VerifyAuthorizedTransferCall(chains, authorizations ?? null),
        ),
    },
    { provide: OutboundTransactionSender, useClass: SendOutboundTransaction },
    AdvanceOutboundTransaction,
    AdvanceOutboundTransactions,
    CancelOutboundTransaction,
    DeployFactory,
    SenderHolds,
    ShowSenders,
    ReconcileSender,
    EndpointMetrics,
    { provide: Chains, useExisting: ChainTypes },
    { provide: SettlementPolicies, useClass: ConfiguredSettlementPolicies },
    {
      provide: TransferFees,
      inject: [ChainTypes],
      useFactory: (chainTypes: ChainTypes) => new CachedTransferFees(chainTypes),
    },
  ],
  exports: [
    NetworkCatalogue,
    Chains,
    SettlementPolicies,
    CheckNetworkReadiness,
    NetworkReadiness,
    OutboundTransactionSender,
    TransferFees,
    ChainTypes,
    OutboundTransactions,
    AdvanceOutboundTransactions,
    ShowSenders,
    SenderHolds,
    ReconcileSender,
  ],
})
export class NetworksModule {}

/** For processes that take requests or read chains. */
@Module({ imports: [NetworksModule], providers: [NetworkReadinessChecks] })
export class NetworkReadinessChecksModule {}

/** For one type of process, of which any number may run. */
@Module({ imports: [NetworksModule], providers: [OutboundWorkers, GasKeyMetrics, ReportSenderHolds] })
export class OutboundModule {}
