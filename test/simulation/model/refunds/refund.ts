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
  readonly about: string;
  readonly requestId: string;
  readonly organizationId: string;
  readonly accountId: string;
  asset: Asset | undefined;
  amount: bigint | null;
  /** Lower case; null until somebody named it. */
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
