import { Injectable } from '@nestjs/common';
import type { PublishedEvent } from '#shared/kernel/domain-event.js';
import { EventSubscriber } from '#shared/platform/event-log/subscriber-runner.js';
import type {
  PaymentRequestConfirmed,
  PaymentRequestDepositReceived,
} from '#contexts/payments/contract/payment-request-events.js';
import type { RefundStatusChanged } from '#contexts/settlement/contract/refund-events.js';
import { groupNotifications, type Notification } from '../domain/notification.js';
import { PendingNotifications } from './persistence/pending-notifications.js';

export const NOTIFICATIONS_SUBSCRIBER = 'notices';

type NotificationEvent = PaymentRequestConfirmed | PaymentRequestDepositReceived | RefundStatusChanged;

const NOTIFICATION_EVENT_TYPES: readonly NotificationEvent['type'][] = [
  'payment_request.confirmed',
  'payment_request.deposit_received',
  'refund.status_changed',
];

export interface PaymentRequestOutcome {
  readonly status: string;
  readonly underpaymentAccepted: boolean;
}

/** An accepted underpayment becomes a completed payment. */
export function toNotification(
  event: PublishedEvent<NotificationEvent>,
  outcome?: PaymentRequestOutcome,
): Notification {
  const { organizationId, accountId, occurredAt, aggregateId: id, data } = event;
  const { uniqueAssetId, network, currency, decimals, referenceId: reference } = data;
  const money = (amount: string) => ({ uniqueAssetId, network, currency, decimals, amount: BigInt(amount) });
  const about = { organizationId, accountId, occurredAt, id, reference };
  switch (event.type) {
    case 'payment_request.confirmed': {
      const { receivedAmount, expectedAmount } = event.data;
      const isShort = BigInt(receivedAmount) < BigInt(expectedAmount);
      const status = outcome?.status ?? (isShort ? 'underpaid' : 'completed');
      const isUnderpaid = status === 'underpaid' && outcome?.underpaymentAccepted !== true;
      const state = status === 'underpaid' && !isUnderpaid ? 'accepted' : status;
      return { ...about, kind: isUnderpaid ? 'underpaid' : 'completed', state, money: money(receivedAmount) };
    }
    case 'payment_request.deposit_received':
      return { ...about, kind: 'deposit', state: event.data.reason, money: money(event.data.amount) };
    case 'refund.status_changed':
      return { ...about, kind: 'refund', state: event.data.status, money: money(event.data.amount) };
  }
}

/** Events are added in the transaction that advances the subscriber's checkpoint. */
@Injectable()
export class NotificationsSubscriber extends EventSubscriber {
  override readonly name = NOTIFICATIONS_SUBSCRIBER;
  override readonly eventTypes: readonly string[] = NOTIFICATION_EVENT_TYPES;

  constructor(private readonly pending: PendingNotifications) {
    super();
  }

  override async apply(published: readonly PublishedEvent[]): Promise<void> {
    const events = published as readonly PublishedEvent<NotificationEvent>[];
    const rules = await this.pending.lockRulesOfAccounts([
      ...new Set(events.map(({ accountId }) => accountId)),
    ]);
    if (rules.length === 0) return;
    const confirmed = events.filter(({ type }) => type === 'payment_request.confirmed');
    const found = await this.pending.outcomes(confirmed.map(({ aggregateId }) => aggregateId));
    const outcomes = new Map(found.map((outcome) => [outcome.id, outcome]));
    const notices = events.map((event) => toNotification(event, outcomes.get(event.aggregateId)));
    await this.pending.add(groupNotifications(notices, rules));
  }
}
