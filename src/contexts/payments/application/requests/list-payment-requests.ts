import { Injectable } from '@nestjs/common';
import type { PointOfSaleId } from '#shared/kernel/ids.js';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import type { Scope } from '#shared/kernel/scope.js';
import { PointsOfSale } from '#contexts/point-of-sale/contract/points-of-sale.js';
import {
  ListedPaymentRequests,
  type ListedPaymentRequest,
  type PaymentRequestFilter,
} from './listed-payment-requests.js';

export interface ListPaymentRequestsInput extends PageRequest, PaymentRequestFilter {
  readonly scope: Scope;
  readonly pointOfSaleId: PointOfSaleId;
}

/** The payment requests of a point of sale, newest first. */
@Injectable()
export class ListPaymentRequests {
  constructor(
    private readonly pointsOfSale: PointsOfSale,
    private readonly requests: ListedPaymentRequests,
  ) {}

  /** @throws not_found, also for another tenant's point of sale */
  async execute(input: ListPaymentRequestsInput): Promise<Page<ListedPaymentRequest>> {
    const { scope, pointOfSaleId, page, pageSize, ...filter } = input;
    await this.pointsOfSale.find(scope, pointOfSaleId);
    return this.requests.page(scope, pointOfSaleId, filter, { page, pageSize });
  }
}
