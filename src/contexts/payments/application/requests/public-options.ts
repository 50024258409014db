import { Injectable } from '@nestjs/common';
import type { Asset } from '#shared/kernel/asset.js';
import type { CollectingPoint } from '#contexts/point-of-sale/contract/points-of-sale.js';
import { AddressNumbers, isGapTaken } from '../../domain/requests/address-numbers.js';
import { AssignAddress } from './assign-address.js';

/** The assets that a page offers which anybody may open, such as that of a payment link. */
@Injectable()
export class PublicOptions {
  constructor(
    private readonly assignAddress: AssignAddress,
    private readonly numbers: AddressNumbers,
  ) {}

  /**
   * Leaves out assets whose next address the merchant's wallet might not see, as long as there are others: a page with no other
   * asset is better paid beyond the gap than not at all.
   * @param assets that can be collected on this point of sale
   * @param caller as sessions are counted under it; undefined for nobody's
   */
  async of(point: CollectingPoint, assets: readonly Asset[], caller?: string): Promise<readonly Asset[]> {
    if (assets.length < 2) return assets;
    const isFree = await Promise.all(assets.map((asset) => this.isFree(point, asset, caller)));
    const free = assets.filter((_, n) => isFree[n]);
    return free.length > 0 ? free : assets;
  }

  private async isFree(point: CollectingPoint, asset: Asset, caller?: string): Promise<boolean> {
    const addresses = this.assignAddress.numbering(point, asset);
    return addresses === null || !isGapTaken(await this.numbers.open(addresses, caller));
  }
}
