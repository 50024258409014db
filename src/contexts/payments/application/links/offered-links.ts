import { Injectable } from '@nestjs/common';
import type { Asset } from '#shared/kernel/asset.js';
import type { PaymentLinkId, PointOfSaleId } from '#shared/kernel/ids.js';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import type { Scope } from '#shared/kernel/scope.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { PointsOfSale, type CollectingPoint } from '#contexts/point-of-sale/contract/points-of-sale.js';
import type { Missing } from '#contexts/rates/contract/quotes.js';
import { type PaymentLink, PaymentLinks } from '../../domain/links/payment-links.js';
import { PublicOptions } from '../requests/public-options.js';
import { PriceOptions, type PricedOption } from '../requests/price-options.js';

/** A payment link, and the options it could be paid with if it were opened now. */
export interface OfferedLink {
  readonly link: PaymentLink;
  readonly options: readonly PricedOption[];
  readonly point: CollectingPoint;
}

/** Payment links with the options that can be paid now. Prices are not waited for: an option without one has no amount. */
@Injectable()
export class OfferedLinks {
  constructor(
    private readonly links: PaymentLinks,
    private readonly pointsOfSale: PointsOfSale,
    private readonly catalogue: NetworkCatalogue,
    private readonly priceOptions: PriceOptions,
    private readonly publicOptions: PublicOptions,
  ) {}

  /** Newest first. @throws not_found, also for another tenant's point of sale */
  async list(scope: Scope, pointOfSale: PointOfSaleId, page: PageRequest): Promise<Page<OfferedLink>> {
    const point = await this.pointsOfSale.find(scope, pointOfSale);
    const links = await this.links.list(scope, pointOfSale, page);
    return { ...links, items: links.items.map((link) => this.listedOffer(point, link)) };
  }

  /**
   * Switches a link on or off. Checkouts that it has opened stay payable. Safe to repeat.
   * @throws not_found, also for another tenant's
   */
  async setActive(
    scope: Scope,
    pointOfSale: PointOfSaleId,
    id: PaymentLinkId,
    active: boolean,
  ): Promise<OfferedLink> {
    return this.offer(await this.links.setActive(scope, pointOfSale, id, active));
  }

  /** One link with its options. Prices that are not known are asked for in the background. */
  async offer(link: PaymentLink): Promise<OfferedLink> {
    const { organizationId, accountId } = link;
    const point = await this.pointsOfSale.find({ organizationId, accountId }, link.pointOfSaleId);
    const offered = await this.publicOptions.of(point, this.collectable(point));
    return { link, point, options: this.priced(offered, link, 'ask') };
  }

  /** A link of a list with its options: no price is asked for. @param point the link's own */
  listedOffer(point: CollectingPoint, link: PaymentLink): OfferedLink {
    return { link, point, options: this.priced(this.collectable(point), link, 'leave') };
  }

  private collectable(point: CollectingPoint): Asset[] {
    return point.paymentOptions
      .flatMap((option) => this.catalogue.asset(option) ?? [])
      .filter(({ network }) => point.terms.has(network) && this.catalogue.takesRequests(network));
  }

  private priced(
    assets: readonly Asset[],
    { amount, coinCode, createdAt }: PaymentLink,
    missing: Missing,
  ): PricedOption[] {
    return assets.map(
      (asset) => this.priceOptions.known(asset, amount, coinCode, createdAt, missing) ?? { asset },
    );
  }
}
