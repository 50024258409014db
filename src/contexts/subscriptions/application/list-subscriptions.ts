import { Injectable } from '@nestjs/common';
import type { PointOfSaleId } from '#shared/kernel/ids.js';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import type { Scope } from '#shared/kernel/scope.js';
import { PointsOfSale } from '#contexts/point-of-sale/contract/points-of-sale.js';
import type { SubscriptionState } from '../domain/subscription-state.js';
import { SubscriptionQueries, type SubscriptionFilter } from './subscription-queries.js';

/** The subscriptions of a point of sale, newest first. */
@Injectable()
export class ListSubscriptions {
  constructor(
    private readonly pointsOfSale: PointsOfSale,
    private readonly queries: SubscriptionQueries,
  ) {}

  /** @throws not_found, also for another tenant's point of sale */
  async execute(
    scope: Scope,
    pointOfSale: PointOfSaleId,
    filter: SubscriptionFilter,
    page: PageRequest,
  ): Promise<Page<SubscriptionState>> {
    await this.pointsOfSale.find(scope, pointOfSale);
    return this.queries.page(scope, pointOfSale, filter, page);
  }
}
