import { AggregateRoot } from '#shared/kernel/domain-event.js';
import type { Asset } from '#shared/kernel/asset.js';
import { stateConflict, invalidField } from '#shared/kernel/domain-error.js';
import { NO_SENDER_LABEL } from '#contexts/networks/contract/chain-reader.js';
import type { AccountId, OrganizationId, PaymentRequestId, PointOfSaleId } from '#shared/kernel/ids.js';
import type { PaidGas, RefundStatus, RefundStatusChanged } from '../../contract/refund-events.js';
import { refuseUnapprovable } from './refund-approval-rule.js';
import {
  claimExpiredError,
  refundEndedError,
  refundNotPendingError,
  refuseClaimReplacement,
} from './refund-refusals.js';

export const REFUND_TRANSITIONS: Readonly<Record<RefundStatus, readonly RefundStatus[]>> = {
  pending: ['processing', 'failed'],
  processing: ['completed', 'failed'],
  completed: [],
  failed: [],
};

export const REFUND_STATUSES = Object.keys(REFUND_TRANSITIONS) as RefundStatus[];

export const MAX_REFUND_ADDRESS_LENGTH = 200;

/** `merchant`: the merchant's own wallet pays the refund, on networks where that wallet receives the payments. */
export const REFUND_FUNDING_SOURCES = ['float', 'merchant'] as const;
export type RefundPayer = (typeof REFUND_FUNDING_SOURCES)[number];

export type RefundedAsset = Pick<Asset, 'uniqueAssetId' | 'network' | 'token' | 'symbol' | 'decimals'>;

export interface RefundSnapshot {
  readonly id: string;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly paymentRequestId: PaymentRequestId;
  readonly pointOfSaleId: PointOfSaleId;
  readonly referenceId?: string;
  readonly merchantName: string;
  readonly asset: RefundedAsset;
  readonly amount: bigint;
  readonly status: RefundStatus;
  readonly paidBy: RefundPayer;
  readonly reason?: string;
  /** Recipient in canonical spelling. Absent until the payer has named the address. */
  readonly to?: string;
  readonly claimExpiresAt?: Date;
  readonly claimedAt?: Date;
  readonly approvedAt?: Date;
  readonly approvedBy?: string;
  readonly floatAddress?: string;
  /** Set when the transaction is final. For a refund that the merchant pays, set at creation. */
  readonly transactionHash?: string;
  readonly failure?: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

type NewRefund = Omit<
  RefundSnapshot,
  'status' | 'paidBy' | 'claimedAt' | 'approvedAt' | 'approvedBy' | 'failure' | 'updatedAt'
> &
  Partial<Pick<RefundSnapshot, 'paidBy'>>;

export const DEFAULT_CLAIM_DAYS = 30;
export const MAX_CLAIM_DAYS = 366;
const DAY_MS = 24 * 60 * 60 * 1_000;

/** @param field name of the requested time in the request */
export function claimExpiry(requested: Date | undefined, now: Date, field = 'claim.expires_at'): Date {
  const end = requested ?? new Date(now.getTime() + DEFAULT_CLAIM_DAYS * DAY_MS);
  if (end > now && end.getTime() <= now.getTime() + MAX_CLAIM_DAYS * DAY_MS) return end;
  throw invalidField(field, 'future', `must be in the future, at most ${MAX_CLAIM_DAYS} days ahead.`);
}

export interface RefundPayment {
  readonly transactionHash: string | null;
  readonly gas?: PaidGas;
}

export class Refund extends AggregateRoot<RefundStatusChanged> {
  private constructor(private state: RefundSnapshot) {
    super();
  }

  /** @param float address, or a placeholder while the address is not known. Ignored if the merchant pays */
  static create(draft: NewRefund, float: string): Refund {
    const { floatAddress: _, ...birth } = draft;
    const refund = new Refund({ paidBy: 'float', ...birth, status: 'pending', updatedAt: draft.createdAt });
    refund.recordStatus(draft.createdAt, float);
    return refund;
  }

  static restore(state: RefundSnapshot): Refund {
    return new Refund(state);
  }

  get snapshot(): RefundSnapshot {
    return this.state;
  }

  /** @throws not_found after the claim has expired; state_conflict if an address was already set */
  claim(to: string, now: Date): void {
    const { claimExpiresAt, status, to: named } = this.state;
    if (claimExpiresAt === undefined || status !== 'pending' || named !== undefined)
      throw refundNotPendingError(status);
    if (now >= claimExpiresAt) throw claimExpiredError();
    this.state = { ...this.state, to, claimedAt: now, updatedAt: now };
  }

  /** @throws state_conflict unless the refund waits for the payer's address */
  replaceClaimLink(claimExpiresAt: Date, now: Date): void {
    refuseClaimReplacement(this.state);
    this.state = { ...this.state, claimExpiresAt, updatedAt: now };
  }

  approve(by: string, floatAddress: string, now: Date): void {
    refuseUnapprovable(this.state);
    this.state = { ...this.state, approvedAt: now, approvedBy: by, floatAddress };
    this.changeStatus('processing', now, floatAddress);
  }

  /** A final block decides the outcome. */
  recordMerchantPayment(by: string, now: Date): void {
    this.state = { ...this.state, approvedAt: now, approvedBy: by };
    this.changeStatus('processing', now, NO_SENDER_LABEL);
  }

  /**
   * The caller must also cancel the payout of an approved refund, which must not have a nonce.
   * @param float address, or a placeholder while it is not known
   * @throws state_conflict if the refund has ended
   */
  cancel(now: Date, float: string, failure: string): void {
    const { status, floatAddress = float } = this.state;
    if (REFUND_TRANSITIONS[status].length === 0) throw refundEndedError(status);
    this.state = { ...this.state, failure };
    this.changeStatus('failed', now, floatAddress);
  }

  complete(payment: RefundPayment & { readonly transactionHash: string }, now: Date): void {
    this.state = { ...this.state, transactionHash: payment.transactionHash };
    this.changeStatus('completed', now, this.approvedFloatAddress(), payment.gas);
  }

  fail(failure: string, payment: RefundPayment, now: Date): void {
    const { transactionHash } = payment;
    this.state = { ...this.state, failure, ...(transactionHash === null ? {} : { transactionHash }) };
    this.changeStatus('failed', now, this.approvedFloatAddress(), payment.gas);
  }

  private approvedFloatAddress(): string {
    const { floatAddress, paidBy } = this.state;
    if (paidBy === 'merchant') return NO_SENDER_LABEL;
    if (floatAddress === undefined) throw new Error(`refund ${this.state.id} was never approved`);
    return floatAddress;
  }

  private changeStatus(status: RefundStatus, now: Date, float: string, gas?: PaidGas): void {
    if (!REFUND_TRANSITIONS[this.state.status].includes(status)) {
      throw stateConflict(`A refund cannot change from ${this.state.status} to ${status}.`);
    }
    this.state = { ...this.state, status, updatedAt: now };
    this.recordStatus(now, float, gas);
  }

  private recordStatus(occurredAt: Date, float: string, gas?: PaidGas): void {
    const { id, organizationId, accountId, asset, status, amount, to, transactionHash, referenceId } =
      this.state;
    const { paidBy } = this.state;
    this.record({
      type: 'refund.status_changed',
      aggregateId: id,
      organizationId,
      accountId,
      occurredAt,
      data: {
        status,
        paymentRequestId: this.state.paymentRequestId,
        pointOfSaleId: this.state.pointOfSaleId,
        ...(referenceId === undefined ? {} : { referenceId }),
        network: asset.network,
        uniqueAssetId: asset.uniqueAssetId,
        currency: asset.symbol,
        decimals: asset.decimals,
        amount: amount.toString(),
        ...(paidBy === 'merchant' ? { paidBy, from: NO_SENDER_LABEL } : { from: float }),
        ...(to === undefined ? {} : { to }),
        ...(transactionHash === undefined ? {} : { transactionHash }),
        ...(gas === undefined ? {} : { gas }),
      },
    });
  }
}
