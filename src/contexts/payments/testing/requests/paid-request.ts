import type {
  PaymentRequestCreditReversed,
  PaymentRequestDepositReceived,
  PaymentRequestEvent,
} from '../../contract/payment-request-events.js';
import type { PaymentRequest } from '../../domain/requests/payment-request.js';
import { openRequest, readTo, timeOf, transfer } from './payment-request-builder.js';

/** Later than all events of these requests. */
export const NOW = timeOf(200);

/** The ledger's postings in its new events, without outcomes. */
export function booked(request: PaymentRequest) {
  return request
    .pullEvents()
    .filter(isBooking)
    .map(({ data, occurredAt }) => ({ ...data, occurredAt }));
}

type Booking = PaymentRequestDepositReceived | PaymentRequestCreditReversed;
function isBooking(event: PaymentRequestEvent): event is Booking {
  return ['payment_request.deposit_received', 'payment_request.credit_reversed'].includes(event.type);
}

export function paidRequest(referenceId?: string): PaymentRequest {
  const request = openRequest(100n, referenceId);
  request.receive([transfer(100n, 3)], NOW);
  request.judge(readTo(4), NOW);
  request.pullEvents();
  return request;
}
