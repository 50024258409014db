import { formatAmount } from '../../../../shared/kernel/amount.js';
import { stateConflict } from '../../../../shared/kernel/domain-error.js';
import type { AccountId, OrganizationId } from '../../../../shared/kernel/ids.js';
import type { RefundedAsset } from './refund.js';

/** What an account may refund of an asset, in smallest units. */
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
    `Refunds of this account are limited to ${formatAmount(perDay, decimals)} ${symbol} in 24 hours, of which ` +
      `${formatAmount(left, decimals)} ${symbol} are left. Approve it later, or have the operator raise the limit.`,
  );
}

export function isAutomatic(limit: Pick<RefundLimit, 'automaticBelow'> | null, amount: bigint): boolean {
  return limit !== null && amount < limit.automaticBelow;
}

/** What the operator says per account and asset. */
export abstract class RefundLimits {
  /** @returns null where none was ever set */
  abstract of(account: AccountId, uniqueAssetId: string): Promise<RefundLimit | null>;
  abstract list(organization: OrganizationId): Promise<RefundLimit[]>;
  /** Row-locked until the unit of work ends. @returns the limit before, and the id that the audit log has it under */
  abstract put(
    limit: RefundLimit,
  ): Promise<{ readonly before: RefundLimit | null; readonly subjectId: string }>;
}
