import { Injectable } from '@nestjs/common';
import type { Asset } from '#shared/kernel/asset.js';
import { pageOfItems, type Page, type PageRequest } from '#shared/kernel/page.js';
import { NetworkCatalogue } from '../contract/network-catalogue.js';
import { requiredConfirmations } from '../contract/finality-depth.js';

export interface AssetView extends Asset {
  readonly networkName: string;
  /** Number of confirmations for the largest amounts, if it depends on the amount. */
  readonly requiredConfirmations: number;
}

@Injectable()
export class ListAssets {
  constructor(private readonly catalogue: NetworkCatalogue) {}

  list(page: PageRequest): Page<AssetView> {
    const assets = pageOfItems(this.catalogue.assets(), page, ({ uniqueAssetId }) => [uniqueAssetId]);
    const items = assets.items.flatMap((asset) => {
      const network = this.catalogue.network(asset.network);
      if (network === undefined) return [];
      const required = requiredConfirmations(network, asset, null);
      return [{ ...asset, networkName: network.name, requiredConfirmations: required }];
    });
    return { ...assets, items };
  }
}
