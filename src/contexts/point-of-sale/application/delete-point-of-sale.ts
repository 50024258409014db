import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { stateConflict } from '#shared/kernel/domain-error.js';
import type { PointOfSaleId } from '#shared/kernel/ids.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { AuditLog, type Actor } from '#contexts/identity/contract/audit-log.js';
import { PointOfSaleDevices } from '#contexts/identity/contract/point-of-sale-devices.js';
import { PointOfSaleOpenItems, PointsOfSale } from '../contract/points-of-sale.js';
import { PointsOfSaleRecords } from '../infrastructure/persistence/points-of-sale-records.js';
import { auditablePointOfSale } from './validate-point-of-sale-description.js';

export interface DeletePointOfSaleInput extends Actor {
  scope: TenantScope;
  pointOfSaleId: PointOfSaleId;
}

/** Payment requests of a deleted point of sale stay readable. */
@Injectable()
export class DeletePointOfSale {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly records: PointsOfSaleRecords,
    private readonly pointsOfSale: PointsOfSale,
    private readonly openItems: PointOfSaleOpenItems,
    private readonly devices: PointOfSaleDevices,
    private readonly auditLog: AuditLog,
  ) {}

  /** @throws not_found; state_conflict if a payment request, payment link or subscription is open */
  async delete({ scope, pointOfSaleId, ...by }: DeletePointOfSaleInput): Promise<PointOfSaleId> {
    await this.unitOfWork.run(async () => {
      const point = await this.records.lockPointOfSaleRow(scope, pointOfSaleId);
      await this.records.excludeNewRequests(point);
      await this.refuseOpenItems(pointOfSaleId);
      for (const { id } of await this.devices.list(point)) await this.devices.revoke(point, id, by);
      const at = await this.clock.now();
      await this.records.delete(pointOfSaleId, at);
      await this.auditLog.record({
        ...by,
        at,
        action: 'point_of_sale.deleted',
        organizationId: point.organizationId,
        subjectId: pointOfSaleId,
        before: auditablePointOfSale(point),
        after: null,
      });
    });
    // Other replicas detect the new version when they store a payment request.
    this.pointsOfSale.forget(pointOfSaleId);
    return pointOfSaleId;
  }

  private async refuseOpenItems(id: PointOfSaleId): Promise<void> {
    const { requests, links, subscriptions } = await this.openItems.countOpenItems(id);
    if (requests + links + subscriptions === 0) return;
    throw stateConflict(
      `The point of sale cannot be deleted yet. Open payment requests: ${requests} (wait until they end). ` +
        `Active payment links: ${links} (deactivate them). Open subscriptions: ${subscriptions} (revoke them).`,
    );
  }
}
