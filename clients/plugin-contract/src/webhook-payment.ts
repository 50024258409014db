import { verifyWebhook, type Delivery } from 'payment-collection-client';
import type { Payment } from './payment.js';

/** Maximum age of a delivery, in seconds. Shops queue deliveries. Old ones are safe, because the payment is read from the service. */
const OLDEST = 7 * 24 * 3_600;

export interface WebhookSettings {
  readonly secret: string | readonly string[];
  readonly pointOfSaleId: string;
  readonly read: (paymentRequestId: string) => Promise<Payment>;
}

/**
 * Verifies a delivery and reads its payment from the service, because deliveries can be repeated and can arrive in any order.
 * @returns undefined if the delivery is not about a payment of an order of this point of sale @throws WebhookVerificationError
 */
export async function paymentOfWebhook(
  delivery: Pick<Delivery, 'body' | 'headers'>,
  { secret, pointOfSaleId, read }: WebhookSettings,
): Promise<Payment | undefined> {
  const { data } = verifyWebhook({ ...delivery, secret, tolerance: OLDEST });
  if (data.notification_type !== 'payment_request_status_update') return undefined;
  const { point_of_sale_id, external_reference_id } = data as { [name: string]: unknown };
  if (point_of_sale_id !== pointOfSaleId || !external_reference_id) return undefined;
  return read(data.payment_request_id);
}
