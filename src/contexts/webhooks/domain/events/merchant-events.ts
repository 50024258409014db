import type { AccountId, OrganizationId, PaymentRequestId } from '#shared/kernel/ids.js';
import type { TimeRange } from '#shared/kernel/instant.js';
import { WEBHOOK_EVENT_TYPES } from '../registration/webhook.js';

/** `deposit`, `adjustment`, `settlement` and `subscription` appear only in the event log and are never delivered. */
export const MERCHANT_EVENT_TYPES = [
  ...WEBHOOK_EVENT_TYPES,
  ...(['deposit', 'adjustment', 'settlement', 'subscription'] as const),
] as const;
export type MerchantEventType = (typeof MERCHANT_EVENT_TYPES)[number];

/** Recorded even if no webhook is registered for it. */
export interface MerchantEvent {
  /** Deliveries send it as `webhook-id`. */
  readonly id: string;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly eventType: MerchantEventType;
  readonly paymentRequestId: PaymentRequestId | null;
  readonly occurredAt: Date;
  readonly body: string;
  /** The specified body has no field for an accepted underpayment. */
  readonly underpaymentAccepted: boolean;
}

export function isPaymentRequestFulfilled({
  eventType,
  body,
  underpaymentAccepted,
}: MerchantEvent): boolean | undefined {
  if (eventType !== 'payment_request') return undefined;
  const { data } = JSON.parse(body) as { data: { status: string } };
  return underpaymentAccepted || data.status === 'completed' || data.status === 'overpaid';
}

export interface MerchantEventFilter {
  readonly eventType?: MerchantEventType;
  readonly paymentRequestId?: PaymentRequestId;
  readonly occurred: TimeRange;
}
