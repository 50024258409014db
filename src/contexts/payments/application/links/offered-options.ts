import { Injectable } from '@nestjs/common';
import { NetworkCatalogue } from '../../../networks/contract/network-catalogue.js';
import { PointsOfSale, type CollectingPoint } from '../../../point-of-sale/contract/points-of-sale.js';
import type { Missing } from '../../../rates/contract/quotes.js';
import type { PaymentLink } from '../../domain/links/payment-link.js';
import { PriceOptions, type PricedOption } from '../requests/price-options.js';

/** A payment link, and what it could be paid with if it were opened now. */
export interface OfferedLink {
  readonly link: PaymentLink;
  readonly options: readonly PricedOption[];
  readonly point: CollectingPoint;
}

/** Says what a payment link offers, without waiting for prices: what has none now is offered without an amount. */
@Injectable()
export class OfferedOptions {
  constructor(
    private readonly pointsOfSale: PointsOfSale,
    private readonly catalogue: NetworkCatalogue,
    private readonly priceOptions: PriceOptions,
  ) {}

  /** As one is shown. What has no price now is asked for in the background. */
  async of(link: PaymentLink): Promise<OfferedLink> {
    const { organizationId, accountId } = link;
    const point = await this.pointsOfSale.find({ organizationId, accountId }, link.pointOfSaleId);
    return { link, point, options: this.options(point, link, 'ask') };
  }

  /** As many are listed: no price is asked for. @param point the link's own */
  at(point: CollectingPoint, link: PaymentLink): OfferedLink {
    return { link, point, options: this.options(point, link, 'leave') };
  }

  private options(
    point: CollectingPoint,
    { amount, coinCode, createdAt }: PaymentLink,
    missing: Missing,
  ): PricedOption[] {
    return point.paymentOptions
      .flatMap((option) => this.catalogue.asset(option) ?? [])
      .filter(({ network }) => point.terms.has(network) && this.catalogue.takesRequests(network))
      .map((asset) => this.priceOptions.known(asset, amount, coinCode, createdAt, missing) ?? { asset });
  }
}
