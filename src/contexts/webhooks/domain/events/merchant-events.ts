import type { AccountId, OrganizationId, PaymentRequestId } from '#shared/kernel/ids.js';
import type { TimeRange } from '#shared/kernel/instant.js';
import { WEBHOOK_EVENT_TYPES } from '../registration/webhook.js';

/**
 * The kinds of merchant events. `deposit`, `adjustment`, `settlement` and `subscription` stand in their log alone: nothing can
 * be registered for them, so no webhook is sent them, by no replay either. The first two are named as the transactions that
 * book them.
 */
export const MERCHANT_EVENT_TYPES = [
  ...WEBHOOK_EVENT_TYPES,
  ...(['deposit', 'adjustment', 'settlement', 'subscription'] as const),
] as const;
export type MerchantEventType = (typeof MERCHANT_EVENT_TYPES)[number];

/** An event that its merchant can read, whether or not a webhook is registered for it. */
export interface MerchantEvent {
  /** The event's in the event log; deliveries of it, if there are any, carry it as `webhook-id`. */
  readonly id: string;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly eventType: MerchantEventType;
  /** Null for a settlement, which is of many, and for a subscription. */
  readonly paymentRequestId: PaymentRequestId | null;
  readonly occurredAt: Date;
  /** Canonical JSON, the very bytes that are sent where it is sent. */
  readonly body: string;
  /** The payment request has ended underpaid, and its merchant accepts that. The body, as it is specified, has no place for it. */
  readonly underpaymentAccepted: boolean;
}

/** True where a status fulfils its payment request; undefined for every other event. */
export function isFulfilled({ eventType, body, underpaymentAccepted }: MerchantEvent): boolean | undefined {
  if (eventType !== 'payment_request') return undefined;
  const { data } = JSON.parse(body) as { data: { status: string } };
  return underpaymentAccepted || data.status === 'completed' || data.status === 'overpaid';
}

/** A filter of events; an absent field does not narrow. */
export interface MerchantEventFilter {
  readonly eventType?: MerchantEventType;
  readonly paymentRequestId?: PaymentRequestId;
  readonly occurred: TimeRange;
}

/** The merchants' log of events. */
export abstract class MerchantEvents {
  /** True where all events before `time` are recorded; events of the last seconds do not count. */
  abstract areRecordedUntil(time: Date): Promise<boolean>;
}
