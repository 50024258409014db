import { Injectable } from '@nestjs/common';
import type { Asset } from '#shared/kernel/asset.js';
import { canonicalAssetId } from '../../contract/address-spelling.js';
import { type Network, NetworkCatalogue } from '../../contract/network-catalogue.js';
import { NetworkReadiness } from '../../domain/network-readiness.js';
import type { NetworkConfiguration } from '../../domain/network-configuration.js';
import { NetworksSettings } from '../networks-settings.js';
import { ChainTypes } from '../../application/chain-types.js';
import { SettlementPolicies, type SettlementPolicy } from '../../contract/settlement-policies.js';

@Injectable()
export class ConfiguredCatalogue extends NetworkCatalogue {
  private readonly byName: ReadonlyMap<string, Network>;
  private readonly byAssetId: ReadonlyMap<string, Asset>;
  private readonly bySpelling: ReadonlyMap<string, Asset>;

  constructor(
    settings: NetworksSettings,
    private readonly readiness: NetworkReadiness,
  ) {
    super();
    this.byName = new Map(
      settings.networks.map((configured) => [configured.network, publicNetworkOf(configured)]),
    );
    const assets = settings.networks.flatMap(({ assets }) => assets);
    this.byAssetId = new Map(assets.map((asset) => [canonicalAssetId(asset.uniqueAssetId), asset]));
    this.bySpelling = new Map(assets.map((asset) => [asset.uniqueAssetId, asset]));
  }

  networks(): readonly Network[] {
    return [...this.byName.values()];
  }

  network(name: string): Network | undefined {
    return this.byName.get(name);
  }

  assets(): readonly Asset[] {
    return [...this.byAssetId.values()];
  }

  asset(uniqueAssetId: string): Asset | undefined {
    return this.bySpelling.get(uniqueAssetId) ?? this.byAssetId.get(canonicalAssetId(uniqueAssetId));
  }

  acceptsPaymentRequests(network: string): boolean {
    return this.readiness.acceptsPaymentRequests(network);
  }
}

/** Omits the endpoints, which may contain access keys, and settings that only the chain type reads. */
function publicNetworkOf(configured: NetworkConfiguration): Network {
  const { network, name, family, finality, blockSeconds, inclusionGraceSeconds, maxLagSeconds } = configured;
  const { hidesNativeTransfers, deliversDirectly, pendingGraceSeconds, explorerUrl, sponsoring } = configured;
  const { browserWallets, acceptedAfter } = configured;
  return {
    network,
    name,
    family,
    hidesNativeTransfers,
    deliversDirectly,
    ...(explorerUrl === undefined ? {} : { explorerUrl }),
    finality,
    ...(acceptedAfter === undefined ? {} : { acceptedAfter }),
    ...(browserWallets && { browserWallets }),
    blockSeconds,
    inclusionGraceSeconds,
    ...(pendingGraceSeconds === undefined ? {} : { pendingGraceSeconds }),
    maxLagSeconds,
    ...(sponsoring === undefined ? {} : { sponsoring }),
  };
}

@Injectable()
export class ConfiguredSettlementPolicies extends SettlementPolicies {
  private readonly policies: ReadonlyMap<string, SettlementPolicy>;

  constructor(chainTypes: ChainTypes) {
    super();
    this.policies = new Map(
      chainTypes.outboundNetworks().map(({ network, settlement }) => [network, settlement]),
    );
  }

  override all(): ReadonlyMap<string, SettlementPolicy> {
    return this.policies;
  }
}
