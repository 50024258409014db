import { Injectable } from '@nestjs/common';
import { DeliveryRecords, type RefundRecord } from '../../contract/delivery-records.js';
import { isEnded } from '../../domain/requests/status.js';
import type { CheckoutView } from '../requests/checkout-view.js';

/** What the payer of a session is paid back. */
@Injectable()
export class ReadSessionRefunds {
  constructor(private readonly deliveries: DeliveryRecords) {}

  /** Those that are on their way or have arrived: one that awaits approval may never be paid. */
  async execute({ id, status }: Pick<CheckoutView, 'id' | 'status'>): Promise<readonly RefundRecord[]> {
    if (!isEnded(status)) return [];
    const { refunds = [] } = (await this.deliveries.of([id])).get(id) ?? {};
    return refunds.filter((refund) => refund.status === 'processing' || refund.status === 'completed');
  }
}
