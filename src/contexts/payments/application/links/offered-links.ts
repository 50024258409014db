import { Injectable } from '@nestjs/common';
import type { Asset } from '#shared/kernel/asset.js';
import type { PaymentLinkId, PointOfSaleId } from '#shared/kernel/ids.js';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import type { Scope } from '#shared/kernel/scope.js';
import { PointsOfSale, type CollectingPoint } from '#contexts/point-of-sale/contract/points-of-sale.js';
import type { MissingRateAction } from '#contexts/rates/contract/quotes.js';
import type { PaymentLink } from '../../domain/links/payment-link.js';
import { PaymentLinks } from '../../infrastructure/links/persistence/payment-links.js';
import { AssignAddress } from '../requests/assign-address.js';
import { PublicOptions } from '../requests/public-options.js';
import { PriceOptions, type PricedOption } from '../requests/price-options.js';

export interface OfferedLink {
  readonly link: PaymentLink;
  readonly options: readonly PricedOption[];
  readonly point: CollectingPoint;
}

/** Never waits for rates: an option without a known rate has no amount. */
@Injectable()
export class OfferedLinks {
  constructor(
    private readonly links: PaymentLinks,
    private readonly pointsOfSale: PointsOfSale,
    private readonly assignAddress: AssignAddress,
    private readonly priceOptions: PriceOptions,
    private readonly publicOptions: PublicOptions,
  ) {}

  async list(scope: Scope, pointOfSale: PointOfSaleId, page: PageRequest): Promise<Page<OfferedLink>> {
    const point = await this.pointsOfSale.find(scope, pointOfSale);
    const links = await this.links.list(scope, pointOfSale, page);
    return { ...links, items: links.items.map((link) => this.offerListedLink(point, link)) };
  }

  /** Checkouts already opened stay payable. @throws not_found, also for a link of another tenant */
  async setActive(
    scope: Scope,
    pointOfSale: PointOfSaleId,
    id: PaymentLinkId,
    active: boolean,
  ): Promise<OfferedLink> {
    return this.offerLink(await this.links.setActive(scope, pointOfSale, id, active));
  }

  /** Requests unknown rates in the background. */
  async offerLink(link: PaymentLink): Promise<OfferedLink> {
    const { organizationId, accountId } = link;
    const point = await this.pointsOfSale.find({ organizationId, accountId }, link.pointOfSaleId);
    const offered = await this.publicOptions.selectOptions(
      point,
      this.assignAddress.findCollectableAssets(point),
    );
    return { link, point, options: this.addPrices(offered, link, 'ask') };
  }

  /** Requests no rates. */
  offerListedLink(point: CollectingPoint, link: PaymentLink): OfferedLink {
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
        this.priceOptions.priceWithKnownRate(asset, amount, coinCode, createdAt, missing) ?? { asset },
    );
  }
}
