import type { AccountId, OrganizationId, PaymentRequestId } from '#shared/kernel/ids.js';
import type { TimeRange } from '#shared/kernel/time-range.js';
import type { Scope } from '#shared/kernel/scope.js';
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
}

/** Which events are wanted; what is left out does not narrow. */
export interface MerchantEventFilter {
  readonly eventType?: MerchantEventType;
  readonly paymentRequestId?: PaymentRequestId;
  readonly occurred: TimeRange;
}

export interface MerchantEventsQuery {
  readonly scope: Scope;
  /** Only what follows this event, which must be in the scope itself; from the beginning where it is absent. */
  readonly after?: string;
  readonly limit: number;
  /** All of them where it is absent. */
  readonly filter?: MerchantEventFilter;
}

export interface MerchantEventsPage {
  readonly events: MerchantEvent[];
  /** Others may follow: behind a full page, or where reading with a filter has stopped for this time. */
  readonly hasMore: boolean;
  /** The last event that was read, wanted or not; absent where none was, and behind a full page. */
  readonly readTo?: string;
}

/**
 * The merchant events, in one order for all: that in which it was recorded, of each payment request and subscription that
 * in which it happened. Nothing ever comes between events that were read already.
 */
export abstract class MerchantEvents {
  /** Records events in the order given, each once; refuses to run outside a unit of work. One caller at a time. */
  abstract record(events: readonly MerchantEvent[]): Promise<void>;
  /**
   * One statement. With a filter it passes over so many events at most, so that a filter that nothing matches costs no more
   * than others; who asks goes on behind `readTo`.
   * @returns null where the scope has no event `after`
   */
  abstract following(wanted: MerchantEventsQuery): Promise<MerchantEventsPage | null>;
  /** True where all events before `time` are recorded; events of the last seconds do not count. */
  abstract areRecordedUntil(time: Date): Promise<boolean>;
  /** True where an event of the scope is being delivered already, though it is recorded only in a moment. */
  abstract isComing(scope: Scope, event: string): Promise<boolean>;
}
