import type { RefundLimitFact, DeliveryFact } from '../../facts/fact.js';
import { Since } from '../known/since.js';
import type { Asset, PaymentRequest } from '../requests/payment-request.js';
import { type Json, textOf } from '../known/values.js';
import type { Known } from '../known/known.js';
import { Attempts } from '../webhooks/attempts.js';
import type { Webhook } from '../webhooks/webhook.js';
import { showRefund } from './refund-money.js';

export type RefundStatus = 'pending' | 'processing' | 'completed' | 'failed';

export const REFUND_RANK: Readonly<Record<RefundStatus, number>> = {
  pending: 0,
  processing: 1,
  completed: 2,
  failed: 2,
};

export interface Refund {
  readonly id: string;
  readonly about: string;
  readonly requestId: string;
  readonly organizationId: string;
  readonly accountId: string;
  asset: Asset | undefined;
  amount: bigint | null;
  address: string | null;
  readonly isDirect: boolean;
  readonly at: number;
  readonly shown: Since<RefundStatus>;
  transactionHash?: string;
  fields: Json;
}

export interface RefusedRefund {
  readonly request: PaymentRequest;
  readonly asset: Asset;
  readonly amount: bigint;
  readonly sentAt: number;
  readonly at: number;
}

export class Refunds {
  readonly byId = new Map<string, Refund>();
  readonly byRequest = new Map<string, Refund[]>();
  /** The float's address of an organization and network, in lower case, as completed refunds show it. */
  readonly floats = new Map<string, string>();
  readonly paidBy = new Map<string, Refund>();
  readonly givenUp = new Set<string>();
  readonly refusals: RefusedRefund[] = [];
  readonly approved = new Set<string>();
  readonly limits: RefundLimitFact[] = [];

  add(refund: Refund): void {
    this.byId.set(refund.id, refund);
    this.byRequest.set(refund.requestId, [...(this.byRequest.get(refund.requestId) ?? []), refund]);
  }

  of(requestId: string): readonly Refund[] {
    return this.byRequest.get(requestId) ?? [];
  }
}

export function isRefundStatus(value: unknown): value is RefundStatus {
  return typeof value === 'string' && Object.hasOwn(REFUND_RANK, value);
}

const KEYS = [
  'notification_type',
  'refund_id',
  'payment_request_id',
  'status',
  'point_of_sale_id',
  'account_id',
];
const SENT = ['processing', 'completed', 'failed'];
const PROMPTLY = 30_000;

export function takeRefundEvent(data: Json, webhook: Webhook, fact: DeliveryFact, known: Known): void {
  const { webhooks } = known;
  const id = textOf(data.refund_id);
  const about = `refund ${id}`;
  const isExact =
    Object.keys(data).length === KEYS.length && KEYS.every((key) => typeof data[key] === 'string');
  known.expect(isExact, 'the payload of a refund’s event', about, [KEYS.join(', '), data]);
  known.expect(SENT.includes(textOf(data.status)), 'statuses of a refund that are sent', about, [
    SENT.join(', '),
    data.status,
  ]);
  known.equal('a webhook hears of its own account alone', about, [webhook.accountId, data.account_id]);
  const key = `${webhook.id} ${id} ${textOf(data.status)}`;
  const attempts = webhooks.attempts.get(key) ?? new Attempts();
  webhooks.attempts.set(key, attempts);
  const wrong = attempts.add(fact.at, fact.answered, known.isFaulty, webhook.wasEverInactive);
  if (wrong !== undefined)
    known.differ(wrong, `webhook ${webhook.id}, ${about}`, ['no attempt yet', attempts.toString()]);
  const refund = known.refunds.byId.get(id);
  if (refund === undefined || !isRefundStatus(data.status)) return;
  known.equal('a refund keeps its request', about, [refund.requestId, data.payment_request_id]);
  const latest = refund.shown.latest();
  // An event may be sent again long after the refund went on.
  if (REFUND_RANK[data.status] >= REFUND_RANK[latest])
    showRefund(refund, data.status, fact.at, fact.at, known);
}

/** At rest the outcome of each refund was sent to each webhook for refunds. */
export function missingRefundEvents(known: Known): void {
  for (const refund of known.refunds.byId.values()) {
    const status = refund.shown.latest();
    if (REFUND_RANK[status] === 2) missingEvent(refund, status, known);
  }
}

function missingEvent(refund: Refund, status: string, known: Known): void {
  for (const webhook of known.webhooks.byId.values()) {
    const isHis = webhook.eventType === 'refund' && webhook.accountId === refund.accountId && !webhook.isGone;
    if (!isHis || webhook.steadySince >= refund.at || refund.at + PROMPTLY >= known.restedAt) continue;
    const attempts = known.webhooks.attempts.get(`${webhook.id} ${refund.id} ${status}`);
    const about = `webhook ${webhook.id}, refund ${refund.id}, ${status}`;
    if (attempts === undefined) {
      known.differ('every status of a refund that must be sent is sent', about, [
        'a delivery',
        'none at rest',
      ]);
    } else if (attempts.isOverdue(known.restedAt)) {
      known.differ('retries go on as the schedule says', about, ['another attempt', attempts.toString()]);
    }
  }
}
