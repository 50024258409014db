import type { AccountId, OrganizationId, PaymentRequestId } from '#shared/kernel/ids.js';
import type { TimeRange } from '#shared/kernel/instant.js';
import { WEBHOOK_EVENT_TYPES } from '../registration/webhook.js';

/**
 * The types of merchant events. `deposit`, `adjustment`, `settlement` and `subscription` appear only in the event log:
 * webhooks cannot be registered for them, so they are never delivered or replayed. `deposit` and `adjustment` are
 * named after the ledger transactions that record them.
 */
export const MERCHANT_EVENT_TYPES = [
  ...WEBHOOK_EVENT_TYPES,
  ...(['deposit', 'adjustment', 'settlement', 'subscription'] as const),
] as const;
export type MerchantEventType = (typeof MERCHANT_EVENT_TYPES)[number];

/** An event in a merchant's event log, whether or not a webhook is registered for it. */
export interface MerchantEvent {
  /** Id in the event log. Deliveries of the event send it as `webhook-id`. */
  readonly id: string;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly eventType: MerchantEventType;
  /** Null for a settlement, which covers many payment requests, and for a subscription. */
  readonly paymentRequestId: PaymentRequestId | null;
  readonly occurredAt: Date;
  /** Request body in canonical JSON, exactly as webhooks receive it. */
  readonly body: string;
  /** True if the merchant accepts an underpayment of the request. The specified body has no field for it. */
  readonly underpaymentAccepted: boolean;
}

/** True if the new status of a payment request fulfills it. Undefined for other event types. */
export function isFulfilled({ eventType, body, underpaymentAccepted }: MerchantEvent): boolean | undefined {
  if (eventType !== 'payment_request') return undefined;
  const { data } = JSON.parse(body) as { data: { status: string } };
  return underpaymentAccepted || data.status === 'completed' || data.status === 'overpaid';
}

/** A filter of merchant events. An absent field matches all events. */
export interface MerchantEventFilter {
  readonly eventType?: MerchantEventType;
  readonly paymentRequestId?: PaymentRequestId;
  readonly occurred: TimeRange;
}
