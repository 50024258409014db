import { formatAmount } from '#shared/kernel/amount.js';
import { DomainError, stateConflict } from '#shared/kernel/domain-error.js';
import type { AccountId, OrganizationId } from '#shared/kernel/ids.js';
import type { RefundedAsset } from './refund.js';

/** In smallest units. */
export interface RefundLimit {
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly uniqueAssetId: string;
  /** Maximum per 24 hours. Null means no limit other than the float. */
  readonly perDay: bigint | null;
  /** 0 means that every claimed refund needs approval. */
  readonly automaticBelow: bigint;
  readonly setBy: string;
  readonly updatedAt: Date;
}

export const REFUND_LIMIT_BASES = ['topped_up', 'received'] as const;

/**
 * Limit of refunds from the float for payments to an account's own settlement address. `topped_up`: the account's
 * allotment. `received`: the amount that the payment request received.
 */
export type RefundLimitBasis = (typeof REFUND_LIMIT_BASES)[number];

/** In smallest units. */
export interface RefundFloatAllotment {
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly uniqueAssetId: string;
  readonly allotted: bigint;
  readonly used: bigint;
  readonly setBy: string;
  readonly updatedAt: Date;
}

/** Refuses a refund above what the account may still use of the refund float. @throws refund_float_insufficient */
export function refuseAboveFloatAllotment(
  { allotted, used }: Pick<RefundFloatAllotment, 'allotted' | 'used'>,
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

/** @param approved amount approved within the last 24 hours @throws state_conflict */
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
