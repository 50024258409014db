import { Injectable } from '@nestjs/common';
import { DeploymentCell, newPublicCode } from '#shared/kernel/deployment-cell.js';
import { Clock } from '#shared/kernel/clock.js';
import { newId } from '#shared/kernel/ids.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { AccountDirectory } from '#contexts/identity/contract/account-directory.js';
import { AuditLog, type Actor } from '#contexts/identity/contract/audit-log.js';
import { OrganizationApproval } from '#contexts/identity/contract/organization-approval.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { pointOfSaleType, type PointOfSale } from '../domain/point-of-sale.js';
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

export interface NewPointOfSale extends PointOfSaleInput, Actor {
  scope: TenantScope;
  account?: string | undefined;
  type: string;
}

@Injectable()
export class CreatePointOfSale {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly accounts: AccountDirectory,
    private readonly catalogue: NetworkCatalogue,
    private readonly records: PointsOfSaleRecords,
    private readonly auditLog: AuditLog,
    private readonly approval: OrganizationApproval,
    private readonly cell: DeploymentCell,
  ) {}

  /** @throws organization_not_approved if payers could pay without a payment request of the merchant */
  async create({ actor, address, ...input }: NewPointOfSale): Promise<PointOfSaleView> {
    const type = pointOfSaleType(input.type);
    const description = validatePointOfSaleDescription(input, this.catalogue);
    rejectTillOfOnlinePoint(type, description);
    const owner = await this.accounts.scopeOfNewResource(input.scope, input.account);
    if (description.openAmount) await this.approval.require(owner.organizationId);
    return this.unitOfWork.run(async () => {
      const at = await this.clock.now();
      const pointOfSale: PointOfSale = {
        id: newId(),
        ...owner,
        ...description,
        type,
        code: type === 'physical' ? newPublicCode(this.cell) : null,
        createdAt: at,
        updatedAt: at,
      };
      await this.records.add(pointOfSale);
      await this.auditLog.record({
        actor,
        address,
        at,
        action: 'point_of_sale.created',
        organizationId: owner.organizationId,
        subjectId: pointOfSale.id,
        before: null,
        after: auditablePointOfSale(pointOfSale),
      });
      return this.records.find(owner, pointOfSale.id);
    });
  }
}
