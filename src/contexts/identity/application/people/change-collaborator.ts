import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import type { CollaboratorId, OrganizationId } from '#shared/kernel/ids.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import {
  auditableCollaborator,
  Collaborators,
  demandMayManage,
  demandOwnerLeft,
  roleFrom,
  type Collaborator,
  type Manager,
} from '../../domain/people/collaborator.js';
import { AuditLog, type Actor } from '../../contract/audit-log.js';
import { Organizations } from '../../domain/accounts/organization.js';
import { Credentials } from '../../domain/credentials/credential.js';
import { auditCredential } from '../credentials/audit-credential.js';
import { Pairings } from '../devices/pairings.js';
import { DashboardSessions, KnownDevices } from './dashboard-sessions.js';

/** A field that is absent stays as it is. */
export interface CollaboratorChange extends Actor {
  readonly organizationId: OrganizationId;
  readonly collaboratorId: CollaboratorId;
  readonly role?: string;
  readonly enabled?: boolean;
  readonly managerRole: Manager;
}

/**
 * Acts on the person's very next request. A disabled one's sessions end. The codes that the person has offered for tills end, and
 * the devices that they paired as a Cashier.
 */
@Injectable()
export class ChangeCollaborator {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly organizations: Organizations,
    private readonly collaborators: Collaborators,
    private readonly sessions: DashboardSessions,
    private readonly devices: KnownDevices,
    private readonly credentials: Credentials,
    private readonly pairings: Pairings,
    private readonly auditLog: AuditLog,
  ) {}

  /** @throws DomainError on `role`, state_conflict for the last Owner, not_found */
  async execute(change: CollaboratorChange): Promise<Collaborator> {
    const { organizationId, collaboratorId, managerRole, actor, address } = change;
    return this.unitOfWork.run(async () => {
      // Two Owners who take each other's role would both find the other one left.
      await this.organizations.lock(organizationId);
      const before = await this.collaborators.lock(organizationId, collaboratorId);
      const role = change.role === undefined ? before.role : roleFrom(change.role);
      const enabled = change.enabled ?? before.enabled;
      demandMayManage(managerRole, before.role, role);
      // The operator ends the access of a last Owner who has lost their factors, and invites another one.
      if (managerRole !== 'operator') {
        const others = await this.collaborators.otherOwners(organizationId, collaboratorId);
        demandOwnerLeft(before, { role, enabled }, others);
      }
      if (role === before.role && enabled === before.enabled) return before;
      const at = await this.clock.now();
      const after: Collaborator = { ...before, role, enabled, updatedAt: at };
      await this.collaborators.save(after);
      if (!enabled) {
        await this.sessions.endAll(collaboratorId);
        await this.devices.forgetAll(collaboratorId);
      }
      await this.pairings.withdrawOf(collaboratorId);
      if (before.role === 'cashier') await this.revokePairedBy(before, { actor, address, at });
      await this.auditLog.record({
        actor,
        address,
        action: 'collaborator.changed',
        organizationId,
        subjectId: collaboratorId,
        at,
        before: auditableCollaborator(before),
        after: auditableCollaborator(after),
      });
      return after;
    });
  }

  private async revokePairedBy(
    { id, organizationId, role }: Collaborator,
    by: Actor & { at: Date },
  ): Promise<void> {
    for (const device of await this.credentials.lockPairedBy(id, role)) {
      await this.credentials.remove(organizationId, device.id);
      await auditCredential(this.auditLog, 'credential.revoked', { ...by, before: device, after: null });
    }
  }
}
