import { formatAmount } from '#shared/kernel/amount.js';
import { DomainError, stateConflict } from '#shared/kernel/domain-error.js';
import type { AccountId, OrganizationId } from '#shared/kernel/ids.js';
import type { RefundedAsset, RefundState } from './refund.js';

/** The most that an account may refund of an asset, in smallest units. */
export interface RefundLimit {
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly uniqueAssetId: string;
  /** Approved within 24 hours; null: no limit but the float. */
  readonly perDay: bigint | null;
  /** Claimed refunds below it need no approval; 0: each does. */
  readonly automaticBelow: bigint;
  readonly setBy: string;
  readonly updatedAt: Date;
}

export const REFUND_BASES = ['topped_up', 'received'] as const;

/**
 * The bound of refunds of money that was collected for an account's own settlement address, while they are paid from the
 * organization's float. `topped_up`: the account's allotment of the float. `received`: the amount the payment request received.
 */
export type RefundBasis = (typeof REFUND_BASES)[number];

/** The amount that an account may take of the organization's float in all, in smallest units. */
export interface RefundAllotment {
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly uniqueAssetId: string;
  readonly allotted: bigint;
  /** The sum of refunds that have not failed. */
  readonly used: bigint;
  readonly setBy: string;
  readonly updatedAt: Date;
}

/** @throws refund_float_insufficient */
export function refuseAboveAllotment(
  { allotted, used }: Pick<RefundAllotment, 'allotted' | 'used'>,
  amount: bigint,
  { decimals, symbol, network }: RefundedAsset,
): void {
  if (used + amount <= allotted) return;
  const shown = (units: bigint) => `${formatAmount(units, decimals)} ${symbol}`;
  throw new DomainError(
    'conflict',
    'refund_float_insufficient',
    `The account's share of the refund float on ${network} is too low: ${shown(allotted - used)} of ${shown(allotted)} remain. ` +
      'Ask the operator to increase it (float allot).',
  );
}

/** @param approved within the last 24 hours @throws state_conflict */
export function refuseAboveDayLimit(
  limit: Pick<RefundLimit, 'perDay'> | null,
  approved: bigint,
  amount: bigint,
  { decimals, symbol }: RefundedAsset,
): void {
  const perDay = limit?.perDay ?? null;
  if (perDay === null || approved + amount <= perDay) return;
  const left = perDay > approved ? perDay - approved : 0n;
  throw stateConflict(
    `Refunds of this account are limited to ${formatAmount(perDay, decimals)} ${symbol} in 24 hours; ` +
      `${formatAmount(left, decimals)} ${symbol} remain. Approve the refund later, or ask the operator to raise the limit.`,
  );
}

/** Limits that the operator sets per organization, and per account and asset. */
export abstract class RefundLimits {
  /** @returns null where none was ever set */
  abstract find(account: AccountId, uniqueAssetId: string): Promise<RefundLimit | null>;
  abstract list(organization: OrganizationId): Promise<RefundLimit[]>;
  /** Row-locked until the unit of work ends. @returns the limit before, and the id that the audit log has it under */
  abstract put(
    limit: RefundLimit,
  ): Promise<{ readonly before: RefundLimit | null; readonly subjectId: string }>;
  /** `topped_up` unless another was set. */
  abstract basis(organization: OrganizationId): Promise<RefundBasis>;
  /** @returns the basis before */
  abstract putBasis(
    organization: OrganizationId,
    basis: RefundBasis,
    setBy: string,
    at: Date,
  ): Promise<RefundBasis>;
  /**
   * True where a refund comes out of its account's allotment: an address of the request pays out to another one than the
   * organization's own terms ever named, and the organization's basis is `topped_up`.
   */
  abstract takesFromAllotment(
    refund: Pick<RefundState, 'organizationId' | 'paymentRequestId' | 'asset'>,
  ): Promise<boolean>;
  /** Row-locked until the unit of work ends; nothing is allotted where none ever was. */
  abstract lockAllotment(
    account: AccountId,
    uniqueAssetId: string,
  ): Promise<Pick<RefundAllotment, 'allotted' | 'used'>>;
  abstract allotments(organization: OrganizationId): Promise<RefundAllotment[]>;
  /** Only for a locked allotment. @returns the id that the audit log has it under */
  abstract putAllotment(allotment: Omit<RefundAllotment, 'used'>): Promise<string>;
}
