import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import type { OrganizationId } from '#shared/kernel/ids.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { requireTimeZone } from '#shared/kernel/zoned-day.js';
import { AuditLog, type Actor } from '../../contract/audit-log.js';
import { Organizations } from '../../infrastructure/accounts/persistence/organizations.js';

interface NewTimeZone extends Actor {
  readonly organizationId: OrganizationId;
  readonly timeZone: string;
}

/** Stored data, bookings and the schedules of mails stay the same. */
@Injectable()
export class SetOrganizationTimeZone {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly organizations: Organizations,
    private readonly auditLog: AuditLog,
  ) {}

  async set({ organizationId, timeZone: typed, ...who }: NewTimeZone): Promise<void> {
    const timeZone = requireTimeZone('time_zone', typed.trim());
    await this.unitOfWork.run(async () => {
      const at = await this.clock.now();
      const before = await this.organizations.setOrganizationTimeZone(organizationId, timeZone, at);
      await this.auditLog.record({
        ...who,
        at,
        action: 'organization.changed',
        organizationId,
        subjectId: organizationId,
        before: { time_zone: before },
        after: { time_zone: timeZone },
      });
    });
  }
}
