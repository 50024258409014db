import { Injectable } from '@nestjs/common';
import type { PointOfSaleId } from '../../../../shared/kernel/ids.js';
import type { Page, PageRequest } from '../../../../shared/kernel/page.js';
import type { Scope } from '../../../../shared/kernel/scope.js';
import { PointsOfSale } from '../../../point-of-sale/contract/points-of-sale.js';
import { PaymentLinks } from '../../domain/links/payment-links.js';
import { OfferedOptions, type OfferedLink } from './offered-options.js';

export interface PaymentLinksWanted {
  readonly scope: Scope;
  readonly pointOfSaleId: PointOfSaleId;
  readonly page: PageRequest;
}

@Injectable()
export class ListPaymentLinks {
  constructor(
    private readonly pointsOfSale: PointsOfSale,
    private readonly links: PaymentLinks,
    private readonly offered: OfferedOptions,
  ) {}

  /** Newest first. @throws not_found, also for another tenant's point of sale */
  async execute({ scope, pointOfSaleId, page }: PaymentLinksWanted): Promise<Page<OfferedLink>> {
    const point = await this.pointsOfSale.find(scope, pointOfSaleId);
    const { items, total } = await this.links.list(scope, pointOfSaleId, page);
    return { items: items.map((link) => this.offered.at(point, link)), total };
  }
}
