import type { CallOptions, Schemas } from './api-types.js';

/**
 * The body of a webhook's delivery; `notification_type` says its kind. More kinds may be added: pass over what you do
 * not know.
 */
export type WebhookNotice = Schemas['PaymentRequestNotice'] | Schemas['RefundNotice'];

/** The event log has events beside those that webhooks receive. */
export type Notice =
  | WebhookNotice
  | Schemas['DepositNotice']
  | Schemas['AdjustmentNotice']
  | Schemas['SettlementNotice']
  | Schemas['SubscriptionNotice'];

/** An event of `GET /v1/events`, with what its `body` says. */
export type ListedEvent = Schemas['Event'] & { readonly data: Notice };

export interface EventOptions extends CallOptions {
  /**
   * Stores where to go on, once all events of a page were taken: also where a filter leaves no event of it, so that the next start
   * does not read past them again.
   */
  keepCursor?: (cursor: string) => void | Promise<void>;
}

/** @returns what the text of an event says; undefined where it is none */
export function notificationIn(body: string): Notice | undefined {
  try {
    const { data } = JSON.parse(body) as { data?: Partial<Notice> | null };
    return typeof data?.notification_type === 'string' ? (data as Notice) : undefined;
  } catch {
    return undefined;
  }
}
