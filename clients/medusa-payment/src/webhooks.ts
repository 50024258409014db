import { verifyWebhook, type Delivery, type WebhookNotice } from 'payment-collection-client';
import type { Payment } from './session-data.js';
import { sessionStatusOf, webhookActionOf, type WebhookAction } from './session-status.js';

/** Seconds. What a delivery says is read from the service before anything is done, so an old one does no harm, and Medusa may queue it. */
const OLDEST = 7 * 24 * 3_600;
const SESSION = /^payses_/;

/** A delivery, as Medusa passes it on. */
export interface Received {
  readonly rawData: string | Buffer;
  readonly headers: Record<string, unknown>;
}
export interface Action {
  readonly action: WebhookAction;
  readonly data?: { readonly session_id: string; readonly amount: string };
}
export interface Hearing {
  readonly secret: string | readonly string[];
  readonly pointOfSaleId: string;
  /** The status of a paid session. */
  readonly paid: 'authorized' | 'captured';
  readonly read: (paymentRequestId: string) => Promise<Payment>;
}

/**
 * Verifies a delivery and reads what it is about: deliveries come twice and in any order, so none is believed.
 * @throws WebhookVerificationError for a delivery that the service has not sent
 */
export async function webhookAction(
  { rawData, headers }: Received,
  { secret, pointOfSaleId, paid, read }: Hearing,
): Promise<Action> {
  const delivery = { body: rawData, headers, secret, tolerance: OLDEST } as Delivery;
  const { data } = verifyWebhook(delivery);
  if (!isOfSession(data) || data.point_of_sale_id !== pointOfSaleId) return { action: 'not_supported' };
  const payment = await read(data.payment_request_id);
  const session_id = payment.reference_id;
  if (session_id === undefined || !SESSION.test(session_id)) return { action: 'not_supported' };
  const action = webhookActionOf(sessionStatusOf(payment, paid));
  // The cart may be paid by another session, which only the job sees: it ends the session.
  if (action === 'canceled') return { action: 'not_supported' };
  return { action, data: { session_id, amount: payment.amount } };
}

/** Others collect at the same point of sale, and a webhook for refunds may have the same address. */
function isOfSession(notice: WebhookNotice): boolean {
  return (
    notice.notification_type === 'payment_request_status_update' &&
    SESSION.test((notice as { external_reference_id?: string }).external_reference_id ?? '')
  );
}
