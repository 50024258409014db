import { verifyWebhook, type Delivery, type WebhookNotice } from 'payment-collection-client';
import type { Payment } from './session-data.js';
import { sessionStatusOf, webhookActionOf, type WebhookAction } from './session-status.js';

/** Maximum age of a delivery, in seconds. Medusa may queue deliveries. Old ones are safe, because the payment is read from the service. */
const OLDEST = 7 * 24 * 3_600;
const SESSION = /^payses_/;

/** Delivery as passed by Medusa. */
export interface ProviderWebhook {
  readonly rawData: string | Buffer;
  readonly headers: Record<string, unknown>;
}
export interface WebhookActionData {
  readonly action: WebhookAction;
  readonly data?: { readonly session_id: string; readonly amount: string };
}
export interface WebhookActionInput {
  readonly secret: string | readonly string[];
  readonly pointOfSaleId: string;
  /** Status of a paid session. */
  readonly paid: 'authorized' | 'captured';
  readonly read: (paymentRequestId: string) => Promise<Payment>;
}

/**
 * Verifies a delivery and reads its payment from the service, because deliveries can be repeated and can arrive in any order.
 * @throws WebhookVerificationError
 */
export async function webhookAction(
  { rawData, headers }: ProviderWebhook,
  { secret, pointOfSaleId, paid, read }: WebhookActionInput,
): Promise<WebhookActionData> {
  const delivery = { body: rawData, headers, secret, tolerance: OLDEST } as Delivery;
  const { data } = verifyWebhook(delivery);
  if (!isOfSession(data) || data.point_of_sale_id !== pointOfSaleId) return { action: 'not_supported' };
  const payment = await read(data.payment_request_id);
  const session_id = payment.reference_id;
  if (session_id === undefined || !SESSION.test(session_id)) return { action: 'not_supported' };
  const action = webhookActionOf(sessionStatusOf(payment, paid));
  // Another session may have paid the cart. Only the catch-up job can check this, so the job ends the session.
  if (action === 'canceled') return { action: 'not_supported' };
  return { action, data: { session_id, amount: payment.amount } };
}

/** Rejects notifications of other payment requests at the point of sale, and refunds sent to the same URL. */
function isOfSession(notice: WebhookNotice): boolean {
  return (
    notice.notification_type === 'payment_request_status_update' &&
    SESSION.test((notice as { external_reference_id?: string }).external_reference_id ?? '')
  );
}
