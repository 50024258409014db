import { Injectable } from '@nestjs/common';
import type { PublishedEvent } from '#shared/kernel/domain-event.js';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import { EventSubscriber } from '#shared/platform/event-log/subscriber-runner.js';
import type {
  PaymentRequestAcceptedAsPaid,
  PaymentRequestStatus,
  PaymentRequestStatusChanged,
  PaymentRequestWindowClosed,
} from '#contexts/payments/contract/payment-request-events.js';
import {
  ApplyChargeRequestUpdates,
  type ChargeRequestUpdate,
} from '../application/apply-charge-request-updates.js';
import type { ChargeRequestOutcome } from '../domain/charge.js';

export const CHARGE_REQUESTS_SUBSCRIBER = 'subscription_charges';

type ChargeRequestEvent =
  PaymentRequestStatusChanged | PaymentRequestWindowClosed | PaymentRequestAcceptedAsPaid;

const CHARGE_REQUEST_EVENTS: readonly ChargeRequestEvent['type'][] = [
  'payment_request.status_changed',
  'payment_request.window_closed',
  'payment_request.accepted_as_paid',
];

/** An underpaid request does not pay its charge unless the merchant accepts the shortfall. */
export const OUTCOMES_BY_STATUS: Readonly<Partial<Record<PaymentRequestStatus, ChargeRequestOutcome>>> = {
  completed: 'paid',
  overpaid: 'paid',
  underpaid: 'unpaid',
  expired: 'unpaid',
  failed: 'failed',
};

export function toChargeRequestUpdates(event: PublishedEvent<ChargeRequestEvent>): ChargeRequestUpdate[] {
  const about = { requestId: event.aggregateId as PaymentRequestId, at: event.occurredAt };
  if (event.type === 'payment_request.window_closed') return [{ ...about, fact: 'window_cut' }];
  if (event.type === 'payment_request.accepted_as_paid') return [{ ...about, fact: 'accepted' }];
  const { status, underpaymentAccepted = false } = event.data;
  if (status === 'created') return [{ ...about, fact: 'opened' }];
  const outcome = underpaymentAccepted ? 'paid' : OUTCOMES_BY_STATUS[status];
  return outcome === undefined ? [] : [{ ...about, fact: 'ended', outcome }];
}

/** Applies each batch of events in the database transaction that moves the checkpoint. */
@Injectable()
export class ChargeRequestsSubscriber extends EventSubscriber {
  override readonly name = CHARGE_REQUESTS_SUBSCRIBER;
  override readonly eventTypes: readonly string[] = CHARGE_REQUEST_EVENTS;

  constructor(private readonly applyChargeRequestUpdates: ApplyChargeRequestUpdates) {
    super();
  }

  override async apply(events: readonly PublishedEvent[]): Promise<void> {
    const facts = (events as readonly PublishedEvent<ChargeRequestEvent>[]).flatMap(toChargeRequestUpdates);
    if (facts.length > 0) await this.applyChargeRequestUpdates.apply(facts);
  }
}
