import type { RefundLimitFact } from '../../facts/fact.js';
import { Since } from '../known/since.js';
import type { Asset, PaymentRequest } from '../requests/payment-request.js';
import type { Json } from '../known/values.js';

export type RefundStatus = 'pending' | 'processing' | 'completed' | 'failed';

export const REFUND_RANK: Readonly<Record<RefundStatus, number>> = {
  pending: 0,
  processing: 1,
  completed: 2,
  failed: 2,
};

export interface Refund {
  readonly id: string;
  readonly requestId: string;
  readonly organizationId: string;
  readonly accountId: string;
  asset: Asset | undefined;
  amount: bigint | null;
  /** Lower case; null until somebody named it. */
  address: string | null;
  /** The address came with the creation, so that it was approved at once. */
  readonly isDirect: boolean;
  readonly at: number;
  readonly shown: Since<RefundStatus>;
  transactionHash?: string;
  fields: Json;
}

/** A refund that was not created. */
export interface RefusedRefund {
  readonly request: PaymentRequest;
  readonly asset: Asset;
  readonly amount: bigint;
  readonly sentAt: number;
  readonly at: number;
}

/** Everything that is known of refunds. */
export class Refunds {
  readonly byId = new Map<string, Refund>();
  readonly byRequest = new Map<string, Refund[]>();
  /** The float's address of an organization and network, in lower case, as completed refunds show it. */
  readonly floats = new Map<string, string>();
  /** The refund that each transfer paid, by block hash, transaction and index. */
  readonly paidBy = new Map<string, Refund>();
  /** Ids of refunds that somebody has cancelled, or may have. */
  readonly givenUp = new Set<string>();
  /** Creations with an address that were refused while nothing known stood against them. */
  readonly refusals: RefusedRefund[] = [];
  /** Ids of refunds that somebody has approved, or may have, after they were made. */
  readonly approved = new Set<string>();
  /** Every limit that the operator has ordered. */
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
