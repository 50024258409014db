import { Injectable } from '@nestjs/common';
import { formatAmount, parseAmount } from '#shared/kernel/amount.js';
import type { Asset } from '#shared/kernel/asset.js';
import { Clock } from '#shared/kernel/clock.js';
import { invalidField, notFound } from '#shared/kernel/domain-error.js';
import type { AccountId, OrganizationId } from '#shared/kernel/ids.js';
import { requireText } from '#shared/kernel/text.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { AccountDirectory } from '#contexts/identity/contract/account-directory.js';
import { AuditLog } from '#contexts/identity/contract/audit-log.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import type { RefundLimit } from '../../domain/refunds/refund-limits.js';
import { RefundLimits } from '../../infrastructure/refunds/persistence/refund-limits.js';

export interface SetRefundLimitInput {
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly uniqueAssetId: string;
  /** Decimal string in whole units per 24 hours. Absent means no limit other than the float. */
  readonly perDay?: string | undefined;
  /** Decimal string in whole units. Default: 0, so every claimed refund requires the merchant's approval. */
  readonly automaticBelow?: string | undefined;
  readonly actor: string;
}

/** Applies to later approvals. */
@Injectable()
export class SetRefundLimit {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly catalogue: NetworkCatalogue,
    private readonly limits: RefundLimits,
    private readonly auditLog: AuditLog,
    private readonly clock: Clock,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async set(input: SetRefundLimitInput): Promise<RefundLimit> {
    const { organizationId, accountId } = input;
    const asset = requireAsset(this.catalogue, input.uniqueAssetId);
    const perDay = input.perDay === undefined ? null : parseUnitsOrZero('per_day', input.perDay, asset);
    const automaticBelow = parseUnitsOrZero('automatic_below', input.automaticBelow ?? '0', asset);
    const setBy = requireText('actor', input.actor, 200);
    if (!(await this.accounts.belongsTo(accountId, organizationId))) throw notFound('account');
    return this.unitOfWork.run(async () => {
      const updatedAt = await this.clock.now();
      const { uniqueAssetId } = asset;
      const limit = { organizationId, accountId, uniqueAssetId, perDay, automaticBelow, setBy, updatedAt };
      const { before, subjectId } = await this.limits.put(limit);
      await this.auditLog.record({
        actor: setBy,
        action: 'refund_limit.set',
        organizationId,
        subjectId,
        at: updatedAt,
        before: before && auditedLimit(before, asset),
        after: auditedLimit(limit, asset),
      });
      return limit;
    });
  }
}

/** Smallest units for an invariant, and `shown` for people. */
function auditedLimit(limit: RefundLimit, { decimals, symbol }: Asset): object {
  const { accountId, uniqueAssetId, perDay, automaticBelow } = limit;
  return {
    account_id: accountId,
    unique_asset_id: uniqueAssetId,
    per_day: perDay === null ? null : perDay.toString(),
    automatic_below: automaticBelow.toString(),
    shown: `${perDay === null ? 'no limit' : formatAmount(perDay, decimals)} ${symbol} per day, automatic below ${formatAmount(automaticBelow, decimals)}`,
  };
}

export function requireAsset(catalogue: NetworkCatalogue, uniqueAssetId: string): Asset {
  const asset = catalogue.asset(uniqueAssetId);
  if (asset !== undefined) return asset;
  throw invalidField('asset', 'asset', 'must be the unique_asset_id of an asset of this service.');
}

/** The amount may be 0. @throws validation_failed */
export function parseUnitsOrZero(field: string, text: string, { decimals }: Asset): bigint {
  if (/^0(?:\.0+)?$/.test(text)) return 0n;
  const units = parseAmount(text, decimals);
  if (typeof units === 'bigint') return units;
  throw invalidField(
    field,
    'decimal_amount',
    `must be 0, or a decimal number with at most ${decimals} decimals, such as 10.50.`,
  );
}
