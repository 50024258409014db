import { Injectable } from '@nestjs/common';
import type { Asset } from '#shared/kernel/asset.js';
import type { PaymentLinkId, PointOfSaleId } from '#shared/kernel/ids.js';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import { PointsOfSale, type PaymentPointOfSale } from '#contexts/point-of-sale/contract/points-of-sale.js';
import type { MissingRateAction } from '#contexts/rates/contract/quotes.js';
import type { PaymentLink } from '../../domain/links/payment-link.js';
import { PaymentLinks } from '../../infrastructure/links/persistence/payment-links.js';
import { AssignAddress } from '../requests/assign-address.js';
import { GapLimitedPaymentOptions } from '../requests/gap-limited-payment-options.js';
import { PricePaymentOptions, type PricedOption } from '../requests/price-payment-options.js';

export interface PricedPaymentLink {
  readonly link: PaymentLink;
  readonly options: readonly PricedOption[];
  readonly point: PaymentPointOfSale;
}

/** Never waits for rates: an option without a known rate has no amount. */
@Injectable()
export class PricedPaymentLinks {
  constructor(
    private readonly links: PaymentLinks,
    private readonly pointsOfSale: PointsOfSale,
    private readonly assignAddress: AssignAddress,
    private readonly pricePaymentOptions: PricePaymentOptions,
    private readonly publicOptions: GapLimitedPaymentOptions,
  ) {}

  async list(
    scope: TenantScope,
    pointOfSale: PointOfSaleId,
    page: PageRequest,
  ): Promise<Page<PricedPaymentLink>> {
    const point = await this.pointsOfSale.find(scope, pointOfSale);
    const links = await this.links.list(scope, pointOfSale, page);
    return { ...links, items: links.items.map((link) => this.priceListedLink(point, link)) };
  }

  /** Checkouts already opened stay payable. @throws not_found, also for a link of another tenant */
  async setActive(
    scope: TenantScope,
    pointOfSale: PointOfSaleId,
    id: PaymentLinkId,
    active: boolean,
  ): Promise<PricedPaymentLink> {
    return this.priceLink(await this.links.setActive(scope, pointOfSale, id, active));
  }

  /** Requests unknown rates in the background. */
  async priceLink(link: PaymentLink): Promise<PricedPaymentLink> {
    const { organizationId, accountId } = link;
    const point = await this.pointsOfSale.find({ organizationId, accountId }, link.pointOfSaleId);
    const offered = await this.publicOptions.filterAssets(
      point,
      this.assignAddress.findCollectableAssets(point),
    );
    return { link, point, options: this.addPrices(offered, link, 'ask') };
  }

  /** Requests no rates. */
  priceListedLink(point: PaymentPointOfSale, link: PaymentLink): PricedPaymentLink {
    return {
      link,
      point,
      options: this.addPrices(this.assignAddress.findCollectableAssets(point), link, 'leave'),
    };
  }

  private addPrices(
    assets: readonly Asset[],
    { amount, coinCode, createdAt }: PaymentLink,
    missing: MissingRateAction,
  ): PricedOption[] {
    return assets.map(
      (asset) =>
        this.pricePaymentOptions.priceWithKnownRate(asset, amount, coinCode, createdAt, missing) ?? { asset },
    );
  }
}
