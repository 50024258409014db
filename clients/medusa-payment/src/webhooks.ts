import type { Delivery } from 'payment-collection-client';
import { paymentOfWebhook, type WebhookSettings } from '../../plugin-contract/src/webhook-payment.js';
import { sessionStatusOf, type WebhookAction } from './session-status.js';

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
export interface WebhookActionInput extends WebhookSettings {
  /** Status of a paid session. */
  readonly paid: 'authorized' | 'captured';
}

/** Converts a delivery to an action of Medusa. @throws WebhookVerificationError */
export async function webhookAction(
  { rawData, headers }: ProviderWebhook,
  { paid, ...settings }: WebhookActionInput,
): Promise<WebhookActionData> {
  const delivery = { body: rawData, headers } as Delivery;
  const payment = await paymentOfWebhook(delivery, settings);
  const session_id = payment?.reference_id;
  if (payment === undefined || session_id === undefined || !SESSION.test(session_id))
    return { action: 'not_supported' };
  const status = sessionStatusOf(payment, paid);
  // Another session may have paid the cart. Only the catch-up job can check this, so the job ends the session.
  if (status === 'canceled') return { action: 'not_supported' };
  const action = status === 'error' ? 'failed' : status;
  return { action, data: { session_id, amount: payment.amount } };
}
