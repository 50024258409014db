import { Injectable } from '@nestjs/common';
import { formatAmount } from '#shared/kernel/amount.js';
import type { Asset } from '#shared/kernel/asset.js';
import { Clock } from '#shared/kernel/clock.js';
import { invalidField, notFound } from '#shared/kernel/domain-error.js';
import type { AccountId, OrganizationId } from '#shared/kernel/ids.js';
import { requireText } from '#shared/kernel/text.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { AccountDirectory } from '#contexts/identity/contract/account-directory.js';
import { AuditLog } from '#contexts/identity/contract/audit-log.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import type { RefundFloatAllotment } from '#contexts/settlement/domain/refunds/refund-limits.js';
import { RefundLimits } from '#contexts/settlement/infrastructure/refunds/persistence/refund-limits.js';
import { requireAsset, parseUnitsOrZero } from '../set-refund-limit.js';

export interface AllotRefundFloatInput {
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly uniqueAssetId: string;
  /** Total in whole units as a decimal string, including the amount already used. */
  readonly amount: string;
  readonly actor: string;
}

/** Applies to refunds of payments to the account's own settlement address. */
@Injectable()
export class AllotRefundFloat {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly catalogue: NetworkCatalogue,
    private readonly limits: RefundLimits,
    private readonly auditLog: AuditLog,
    private readonly clock: Clock,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async allot(input: AllotRefundFloatInput): Promise<RefundFloatAllotment> {
    const { organizationId, accountId } = input;
    const asset = requireAsset(this.catalogue, input.uniqueAssetId);
    const { uniqueAssetId } = asset;
    const allotted = parseUnitsOrZero('amount', input.amount, asset);
    const setBy = requireText('actor', input.actor, 200);
    if (!(await this.accounts.belongsTo(accountId, organizationId))) throw notFound('account');
    return this.unitOfWork.run(async () => {
      const before = await this.limits.lockAllotment(accountId, uniqueAssetId);
      if (allotted < before.used) {
        const used = `${formatAmount(before.used, asset.decimals)} ${asset.symbol}`;
        throw invalidField(
          'amount',
          'minimum_amount',
          `must be at least ${used}, the amount already used by refunds.`,
        );
      }
      const updatedAt = await this.clock.now();
      const allotment = { organizationId, accountId, uniqueAssetId, allotted, setBy, updatedAt };
      const subjectId = await this.limits.putAllotment(allotment);
      const audited = (units: bigint) => auditedAllotment(accountId, units, asset);
      await this.auditLog.record({
        actor: setBy,
        action: 'refund_float.allotted',
        organizationId,
        subjectId,
        at: updatedAt,
        before: audited(before.allotted),
        after: audited(allotted),
      });
      return { ...allotment, used: before.used };
    });
  }
}

/** Smallest units for an invariant, and `shown` for people. */
function auditedAllotment(
  accountId: AccountId,
  allotted: bigint,
  { uniqueAssetId, decimals, symbol }: Asset,
): object {
  return {
    account_id: accountId,
    unique_asset_id: uniqueAssetId,
    allotted: allotted.toString(),
    shown: `${formatAmount(allotted, decimals)} ${symbol}`,
  };
}
