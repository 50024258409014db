import { Injectable } from '@nestjs/common';
import { NetworkCatalogue } from '../../networks/contract/network-catalogue.js';
import { PointsOfSale, type CollectingPoint } from '../../point-of-sale/contract/points-of-sale.js';
import type { PaymentLink } from '../domain/payment-link.js';
import { PriceOptions, type PricedOption } from './price-options.js';

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

  async of(link: PaymentLink): Promise<OfferedLink> {
    const { organizationId, accountId } = link;
    return this.at(await this.pointsOfSale.find({ organizationId, accountId }, link.pointOfSaleId), link);
  }

  /** @param point the link's own */
  at(point: CollectingPoint, link: PaymentLink): OfferedLink {
    return { link, point, options: this.options(point, link) };
  }

  private options(point: CollectingPoint, { amount, coinCode, createdAt }: PaymentLink): PricedOption[] {
    return point.paymentOptions
      .flatMap((option) => this.catalogue.asset(option) ?? [])
      .filter(({ network }) => point.terms.has(network) && this.catalogue.takesRequests(network))
      .map((asset) => this.priceOptions.known(asset, amount, coinCode, createdAt) ?? { asset });
  }
}
