import { Injectable } from '@nestjs/common';
import type { PaymentRequestId, PointOfSaleId } from '#shared/kernel/ids.js';
import type { Scope } from '#shared/kernel/scope.js';
import { DeliveryRecords, type DeliveryRecord } from '../../contract/delivery-records.js';
import { PaymentRequestQueries, type PaymentRequestProgressView } from './payment-request-view.js';

export interface DeliveredRequestView extends PaymentRequestProgressView {
  readonly delivery: DeliveryRecord;
}

/** A request with what became of its money. */
@Injectable()
export class ReadPaymentRequest {
  constructor(
    private readonly queries: PaymentRequestQueries,
    private readonly deliveries: DeliveryRecords,
  ) {}

  /** @throws not_found */
  async execute(
    scope: Scope,
    pointOfSale: PointOfSaleId,
    id: PaymentRequestId,
  ): Promise<DeliveredRequestView> {
    const request = await this.queries.find(scope, pointOfSale, id);
    // Polled most while nothing has come: then there is nothing to deliver or to refund.
    const records = request.transfers.length === 0 ? null : await this.deliveries.of([id]);
    return { ...request, delivery: records?.get(id) ?? { refunds: [] } };
  }
}
