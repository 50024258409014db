import type { Schemas } from './api-types.js';

/** What a webhook is told: told apart by `notification_type`. More kinds may be added: pass over what you do not know. */
export type WebhookNotice = Schemas['PaymentRequestNotice'] | Schemas['RefundNotice'];

/** What the event log tells, beside what webhooks are told. */
export type Notice =
  | WebhookNotice
  | Schemas['DepositNotice']
  | Schemas['AdjustmentNotice']
  | Schemas['SettlementNotice']
  | Schemas['SubscriptionNotice'];

/** An event of `GET /v1/events`, with what its `body` says. */
export type ListedEvent = Schemas['Event'] & { readonly data: Notice };

/** @returns what the text of an event says; undefined where it is none */
export function noticeIn(body: string): Notice | undefined {
  try {
    const { data } = JSON.parse(body) as { data?: Partial<Notice> | null };
    return typeof data?.notification_type === 'string' ? (data as Notice) : undefined;
  } catch {
    return undefined;
  }
}
