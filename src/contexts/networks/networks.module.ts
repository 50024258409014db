import { Module } from '@nestjs/common';
import { ChainInspection } from './application/chain-inspection.js';
import { CheckNetwork } from './application/check-network.js';
import { KnownChains } from './application/known-chains.js';
import { ListAssets } from './application/list-assets.js';
import { ChainReader } from './contract/chain-reader.js';
import { DepositAddresses } from './contract/deposit-addresses.js';
import { NetworkCatalogue } from './contract/network-catalogue.js';
import { NetworkGate } from './domain/network-gate.js';
import { ForwarderAddresses } from './infrastructure/chain/forwarder-addresses.js';
import { ForwarderDerivations } from './infrastructure/chain/forwarder-derivations.js';
import { JsonRpc } from './infrastructure/chain/json-rpc.js';
import { RpcChainInspection } from './infrastructure/chain/rpc-chain-inspection.js';
import { RpcChainReader } from './infrastructure/chain/rpc-chain-reader.js';
import { ConfiguredCatalogue } from './infrastructure/configuration/configured-catalogue.js';
import { AssetController } from './infrastructure/http/asset.controller.js';
import { PostgresKnownChains } from './infrastructure/persistence/postgres-known-chains.js';
import { NetworkChecks } from './infrastructure/work/network-checks.js';

/** Wants `NetworksSettings` and the platform. */
@Module({
  controllers: [AssetController],
  providers: [
    NetworkGate,
    JsonRpc,
    ForwarderDerivations,
    CheckNetwork,
    ListAssets,
    { provide: ChainInspection, useClass: RpcChainInspection },
    { provide: KnownChains, useClass: PostgresKnownChains },
    { provide: NetworkCatalogue, useClass: ConfiguredCatalogue },
    { provide: ChainReader, useClass: RpcChainReader },
    { provide: DepositAddresses, useClass: ForwarderAddresses },
  ],
  exports: [NetworkCatalogue, ChainReader, DepositAddresses, CheckNetwork, NetworkGate, ForwarderDerivations],
})
export class NetworksModule {}

/** Opens each network's gate once its chain has been checked: for processes that take requests or read chains. */
@Module({ imports: [NetworksModule], providers: [NetworkChecks] })
export class NetworkChecksModule {}
