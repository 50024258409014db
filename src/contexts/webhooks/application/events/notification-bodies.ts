import { formatAmount } from '#shared/kernel/amount.js';
import { canonicalJson } from '#shared/kernel/canonical-json.js';
import type { DomainEvent, PublishedEvent } from '#shared/kernel/domain-event.js';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import { addressForPeople } from '#contexts/networks/contract/address-spelling.js';
import type {
  PaymentRequestCreditReversed,
  PaymentRequestDepositReceived,
  PaymentRequestStatusChanged,
} from '#contexts/payments/contract/payment-request-events.js';
import type { RefundStatusChanged } from '#contexts/settlement/contract/refund-events.js';
import type { SettlementStatusChanged } from '#contexts/settlement/contract/settlement-events.js';
import type { SubscriptionStatusChanged } from '#contexts/subscriptions/contract/subscription-events.js';
import type { MerchantEvent, MerchantEventType } from '../../domain/events/merchant-events.js';

/** Statuses that a merchant is notified of; the others are for polling (docs/api/webhooks.md, "Register"). */
export const NOTIFIED_STATUSES: readonly string[] = ['processing', 'completed', 'underpaid', 'overpaid'];
/** A refund is `pending` by the merchant's own doing. */
export const NOTIFIED_REFUND_STATUSES: readonly string[] = ['processing', 'completed', 'failed'];
/** A settlement that is `processing` is for reading. */
export const NOTIFIED_SETTLEMENT_STATUSES: readonly string[] = ['completed', 'failed'];

/** An event of the event log that may become a merchant event. */
export type NotifiedEvent =
  | PaymentRequestStatusChanged
  | RefundStatusChanged
  | PaymentRequestDepositReceived
  | PaymentRequestCreditReversed
  | SettlementStatusChanged
  | SubscriptionStatusChanged;

/** The parts of an event that its body is made of. */
type BodySource<Event extends DomainEvent> = Event extends DomainEvent
  ? Pick<Event, 'type' | 'aggregateId' | 'accountId' | 'data'>
  : never;

interface Notification<Event extends DomainEvent> {
  readonly eventType: MerchantEventType;
  /** Absent where merchants are notified of every such event. */
  readonly statuses?: readonly string[];
  /** The payment request that the event belongs to; null for a settlement, which has many, and for a subscription. */
  paymentRequest(event: BodySource<Event>): string | null;
  /** The fields of the body's `data`; docs/api/webhooks.md describes them. */
  data(event: BodySource<Event>): object;
}

/** Contract event → merchant event and the data of its body. */
const NOTIFICATIONS: {
  readonly [Type in NotifiedEvent['type']]: Notification<Extract<NotifiedEvent, { readonly type: Type }>>;
} = {
  'payment_request.status_changed': {
    eventType: 'payment_request',
    statuses: NOTIFIED_STATUSES,
    paymentRequest: ({ aggregateId }) => aggregateId,
    data: ({ aggregateId, accountId, data }) => ({
      notification_type: 'payment_request_status_update',
      payment_request_id: aggregateId,
      payment_request_type: data.paymentRequestType,
      external_reference_id: data.referenceId,
      status: data.status,
      point_of_sale_id: data.pointOfSaleId,
      account_id: accountId,
    }),
  },
  'refund.status_changed': {
    eventType: 'refund',
    statuses: NOTIFIED_REFUND_STATUSES,
    paymentRequest: ({ data }) => data.paymentRequestId,
    data: ({ aggregateId, accountId, data }) => ({
      notification_type: 'refund_status_update',
      refund_id: aggregateId,
      payment_request_id: data.paymentRequestId,
      status: data.status,
      point_of_sale_id: data.pointOfSaleId,
      account_id: accountId,
    }),
  },
  // Without a `status`, so that nobody takes a deposit or an adjustment for a change of one.
  'payment_request.deposit_received': {
    eventType: 'deposit',
    paymentRequest: ({ aggregateId }) => aggregateId,
    data: (event) => ({
      ...transferData(event),
      notification_type: 'payment_request_deposit',
      amount: formatAmount(BigInt(event.data.amount), event.data.decimals),
      reason: event.data.reason,
      gathered_transfers: event.data.gathered?.transfers,
      gathered_on: event.data.gathered?.on,
    }),
  },
  // The amount carries a minus, so that amounts of deposits and adjustments can be added up.
  'payment_request.credit_reversed': {
    eventType: 'adjustment',
    paymentRequest: ({ aggregateId }) => aggregateId,
    data: (event) => {
      const [before, after] = [BigInt(event.data.before), BigInt(event.data.after)];
      return {
        ...transferData(event),
        notification_type: 'payment_request_adjustment',
        amount: formatAmount(after - before, event.data.decimals),
        remaining_amount: formatAmount(after, event.data.decimals),
        reverses: event.data.postedAs,
      };
    },
  },
  'settlement.status_changed': {
    eventType: 'settlement',
    statuses: NOTIFIED_SETTLEMENT_STATUSES,
    paymentRequest: () => null,
    data: ({ aggregateId, accountId, data }) => ({
      notification_type: 'settlement_status_update',
      settlement_id: aggregateId,
      status: data.status,
      account_id: accountId,
      network: data.network,
      unique_asset_id: data.uniqueAssetId,
      currency: data.currency,
      amount: formatAmount(BigInt(data.amount), data.decimals),
      fee_amount: formatAmount(BigInt(data.feeAmount), data.decimals),
      settlement_address: addressForPeople(data.settlementAddress),
      transaction_hash: data.transactionHash,
      payment_count: new Set(data.addresses.map(({ paymentRequestId }) => paymentRequestId)).size,
    }),
  },
  'subscription.status_changed': {
    eventType: 'subscription',
    paymentRequest: () => null,
    data: ({ aggregateId, accountId, data }) => ({
      notification_type: 'subscription_status_update',
      subscription_id: aggregateId,
      status: data.status,
      external_reference_id: data.referenceId ?? aggregateId,
      point_of_sale_id: data.pointOfSaleId,
      account_id: accountId,
      amount: formatAmount(BigInt(data.amount), data.decimals),
      currency: data.currency,
      network: data.network,
      unique_asset_id: data.uniqueAssetId,
      interval: data.interval,
      wallet_external_id: data.walletExternalId,
      next_charge_at: data.nextChargeAt,
      expires_at: data.expiresAt,
      revoked_by: data.revokedBy,
    }),
  },
};

export const NOTIFIED_EVENTS = Object.keys(NOTIFICATIONS) as NotifiedEvent['type'][];
/** Types of the event log whose events webhooks can be registered for. */
export const DELIVERED_EVENTS: readonly NotifiedEvent['type'][] = [
  'payment_request.status_changed',
  'refund.status_changed',
];

/** The body of a delivery and of a merchant event: canonical JSON, the very text that is sent and signed. */
export function notificationBody(event: BodySource<NotifiedEvent>): string {
  return canonicalJson({ data: notificationOf(event).data(event) });
}

/** @returns the merchant events among events of the types in `NOTIFIED_EVENTS`, without statuses that nobody is notified of */
export function merchantEvents(events: readonly PublishedEvent[]): MerchantEvent[] {
  return (events as readonly PublishedEvent<NotifiedEvent>[]).flatMap((event) => {
    const { id, organizationId, accountId, occurredAt, data } = event;
    const { eventType, statuses, paymentRequest } = notificationOf(event);
    if (statuses !== undefined && 'status' in data && !statuses.includes(data.status)) return [];
    const paymentRequestId = paymentRequest(event) as PaymentRequestId | null;
    const body = notificationBody(event);
    return [{ id, organizationId, accountId, eventType, paymentRequestId, occurredAt, body }];
  });
}

function notificationOf({ type }: BodySource<NotifiedEvent>): Notification<NotifiedEvent> {
  return NOTIFICATIONS[type];
}

function transferData({
  aggregateId,
  accountId,
  data,
}: BodySource<PaymentRequestDepositReceived | PaymentRequestCreditReversed>) {
  return {
    payment_request_id: aggregateId,
    external_reference_id: data.referenceId,
    point_of_sale_id: data.pointOfSaleId,
    account_id: accountId,
    network: data.network,
    unique_asset_id: data.uniqueAssetId,
    currency: data.currency,
    address: addressForPeople(data.to),
    transaction_hash: data.transactionHash,
  };
}
