import { Injectable } from '@nestjs/common';
import { MerchantEvents } from '../domain/merchant-events.js';
import { notificationBody } from '../domain/payment-request-notification.js';
import { notified, type StatusChange } from './status-change.js';

/** Records what merchants are told of, for them to read and for replays, in the caller's unit of work; one statement. */
@Injectable()
export class RecordEvents {
  constructor(private readonly events: MerchantEvents) {}

  async execute(changes: readonly StatusChange[]): Promise<void> {
    await this.events.record(
      notified(changes).map((change) => ({
        id: change.eventId,
        organizationId: change.organizationId,
        accountId: change.accountId,
        eventType: 'payment_request',
        paymentRequestId: change.paymentRequestId,
        occurredAt: change.occurredAt,
        body: notificationBody(change),
      })),
    );
  }
}
