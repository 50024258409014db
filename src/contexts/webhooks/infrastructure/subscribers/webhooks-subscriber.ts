import { Injectable } from '@nestjs/common';
import type { PublishedEvent } from '../../../../shared/kernel/domain-event.js';
import type { PaymentRequestId } from '../../../../shared/kernel/ids.js';
import { EventSubscriber } from '../../../../shared/platform/event-log/event-subscriber.js';
import type { PaymentRequestStatusChanged } from '../../../payments/contract/payment-request-events.js';
import { NotifyOfPaymentRequests, type StatusChange } from '../../application/notify-of-payment-requests.js';

/** Queues deliveries of payment requests' status changes, a batch at a time. */
@Injectable()
export class WebhooksSubscriber extends EventSubscriber {
  override readonly name = 'webhooks';
  override readonly eventTypes: readonly PaymentRequestStatusChanged['type'][] = [
    'payment_request.status_changed',
  ];

  constructor(private readonly notify: NotifyOfPaymentRequests) {
    super();
  }

  override async apply(events: readonly PublishedEvent[]): Promise<void> {
    await this.notify.execute(
      (events as readonly PublishedEvent<PaymentRequestStatusChanged>[]).map(toChange),
    );
  }
}

function toChange(event: PublishedEvent<PaymentRequestStatusChanged>): StatusChange {
  const { status, paymentRequestType, pointOfSaleId, referenceId } = event.data;
  return {
    eventId: event.id,
    organizationId: event.organizationId,
    accountId: event.accountId,
    paymentRequestId: event.aggregateId as PaymentRequestId,
    paymentRequestType,
    status,
    pointOfSaleId,
    ...(referenceId === undefined ? {} : { externalReferenceId: referenceId }),
  };
}
