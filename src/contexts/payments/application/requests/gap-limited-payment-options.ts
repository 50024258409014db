import { Injectable } from '@nestjs/common';
import type { Asset } from '#shared/kernel/asset.js';
import type { PaymentPointOfSale } from '#contexts/point-of-sale/contract/points-of-sale.js';
import { isGapExhausted } from '../../domain/requests/address-numbers.js';
import { AddressNumbers } from '../../infrastructure/requests/persistence/address-numbers.js';
import { AssignAddress } from './assign-address.js';

@Injectable()
export class GapLimitedPaymentOptions {
  constructor(
    private readonly assignAddress: AssignAddress,
    private readonly numbers: AddressNumbers,
  ) {}

  /**
   * Omits assets whose next address would be beyond the gap limit of the merchant's wallet, unless no asset would
   * remain.
   * @param caller undefined counts the sessions of all callers
   */
  async filterAssets(
    point: PaymentPointOfSale,
    assets: readonly Asset[],
    caller?: string,
  ): Promise<readonly Asset[]> {
    if (assets.length < 2) return assets;
    const isFree = await Promise.all(assets.map((asset) => this.hasFreeNumber(point, asset, caller)));
    const free = assets.filter((_, n) => isFree[n]);
    return free.length > 0 ? free : assets;
  }

  private async hasFreeNumber(point: PaymentPointOfSale, asset: Asset, caller?: string): Promise<boolean> {
    const { addresses } = this.assignAddress.requireDestination(point, asset);
    return addresses === null || !isGapExhausted(await this.numbers.countOpen(addresses, caller));
  }
}
