import type { CallOptions, Schemas } from './api-types.js';

/**
 * Body of a webhook delivery. `notification_type` is the type of the event. New types can be added, so ignore types that you do not
 * know.
 */
export type WebhookNotice =
  Schemas['PaymentRequestNotice'] | Schemas['RefundNotice'] | Schemas['IncomingTransferNotice'];

/** Body of an event in the event log, which also contains events that are not sent to webhooks. */
export type Notice =
  | WebhookNotice
  | Schemas['DepositNotice']
  | Schemas['AdjustmentNotice']
  | Schemas['SettlementNotice']
  | Schemas['SubscriptionNotice'];

/** Event from `GET /v1/events`, with its `body` parsed as `data`. */
export type ListedEvent = Schemas['Event'] & { readonly data: Notice };

export interface EventOptions extends CallOptions {
  /**
   * Stores the cursor. Called after all events of a page were handled, even if no event on the page matches the filter, so that the
   * next run does not read the page again.
   */
  keepCursor?: (cursor: string) => void | Promise<void>;
}

/** @returns the notification in an event's body; undefined if there is none */
export function notificationIn(body: string): Notice | undefined {
  try {
    const { data } = JSON.parse(body) as { data?: Partial<Notice> | null };
    return typeof data?.notification_type === 'string' ? (data as Notice) : undefined;
  } catch {
    return undefined;
  }
}
