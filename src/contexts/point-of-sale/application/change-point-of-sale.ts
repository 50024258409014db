import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { invalidField } from '#shared/kernel/domain-error.js';
import type { PointOfSaleId } from '#shared/kernel/ids.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { AuditLog, type Actor } from '#contexts/identity/contract/audit-log.js';
import { OrganizationApproval } from '#contexts/identity/contract/organization-approval.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { PointsOfSale } from '../contract/points-of-sale.js';
import type { PointOfSale } from '../domain/point-of-sale.js';
import { rejectTillOfOnlinePoint } from '../domain/till-config.js';
import {
  auditablePointOfSale,
  validatePointOfSaleDescription,
  type PointOfSaleInput,
} from './validate-point-of-sale-description.js';
import {
  PointsOfSaleRecords,
  type PointOfSaleView,
} from '../infrastructure/persistence/points-of-sale-records.js';

export interface ChangePointOfSaleInput extends PointOfSaleInput, Actor {
  scope: TenantScope;
  pointOfSaleId: PointOfSaleId;
  /** May only repeat the stored type and account. */
  type?: string | undefined;
  account?: string | undefined;
}

/** A concurrent payment request uses all old or all new values (`public_point_of_sale_versions`). */
@Injectable()
export class ChangePointOfSale {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly catalogue: NetworkCatalogue,
    private readonly records: PointsOfSaleRecords,
    private readonly pointsOfSale: PointsOfSale,
    private readonly auditLog: AuditLog,
    private readonly approval: OrganizationApproval,
  ) {}

  /** @throws validation_failed, also if the type or account differs; not_found; organization_not_approved */
  async change({ actor, address, ...input }: ChangePointOfSaleInput): Promise<PointOfSaleView> {
    const { scope, pointOfSaleId } = input;
    const description = validatePointOfSaleDescription(input, this.catalogue);
    if (description.openAmount) await this.approval.require(scope.organizationId);
    const changed = await this.unitOfWork.run(async () => {
      const before = await this.records.lockPointOfSaleRow(scope, pointOfSaleId);
      rejectChangeOf('type', before.type, input.type);
      rejectChangeOf('account_id', before.accountId, input.account?.toLowerCase());
      rejectTillOfOnlinePoint(before.type, description);
      const at = await this.clock.now();
      const after: PointOfSale = { ...before, ...description, updatedAt: at };
      await this.records.save(after);
      await this.auditLog.record({
        actor,
        address,
        at,
        action: 'point_of_sale.changed',
        organizationId: after.organizationId,
        subjectId: after.id,
        before: auditablePointOfSale(before),
        after: auditablePointOfSale(after),
      });
      return this.records.find(scope, pointOfSaleId);
    });
    // Other replicas detect the new version when they store a payment request.
    this.pointsOfSale.forget(pointOfSaleId);
    return changed;
  }
}

function rejectChangeOf(field: string, present: string, named: string | undefined): void {
  if (named === undefined || named === present) return;
  throw invalidField(field, 'unchangeable', 'cannot be changed. Omit it, or create another point of sale.');
}
