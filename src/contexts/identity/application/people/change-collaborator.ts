import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { hasPermission } from '#shared/kernel/dashboard-access.js';
import { invalidField } from '#shared/kernel/domain-error.js';
import type { CollaboratorId, OrganizationId } from '#shared/kernel/ids.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { Collaborators } from '../../infrastructure/people/persistence/collaborators.js';
import {
  auditableCollaborator,
  requireMayManage,
  requireRemainingOwner,
  roleFrom,
  type Collaborator,
  type ManagerRole,
} from '../../domain/people/collaborator.js';
import { AuditLog, type Actor } from '../../contract/audit-log.js';
import { Organizations } from '../../infrastructure/accounts/persistence/organizations.js';
import { Credentials } from '../../infrastructure/credentials/persistence/credentials.js';
import type { Credential } from '../../domain/credentials/credential.js';
import { recordCredentialAuditEntry } from '../credentials/record-credential-audit-entry.js';
import { Pairings } from '../../infrastructure/persistence/pairings.js';
import { DashboardSessions } from '../../infrastructure/people/persistence/dashboard-sessions.js';
import { KnownSignInBrowsers } from '../../infrastructure/people/persistence/known-sign-in-browsers.js';

export interface ChangeCollaboratorInput extends Actor {
  readonly organizationId: OrganizationId;
  readonly collaboratorId: CollaboratorId;
  readonly role?: string;
  readonly enabled?: boolean;
  /** `revoke` or `keep`. Required if the person loses the right to pair devices. */
  readonly devices?: string;
  readonly managerRole: ManagerRole;
}

/**
 * Every change removes the person's unused pairing codes and the devices that the person paired as a Cashier. The
 * manager decides about the other devices.
 */
@Injectable()
export class ChangeCollaborator {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly organizations: Organizations,
    private readonly collaborators: Collaborators,
    private readonly sessions: DashboardSessions,
    private readonly devices: KnownSignInBrowsers,
    private readonly credentials: Credentials,
    private readonly pairings: Pairings,
    private readonly auditLog: AuditLog,
  ) {}

  async change(change: ChangeCollaboratorInput): Promise<Collaborator> {
    const { organizationId, collaboratorId, managerRole, actor, address } = change;
    return this.unitOfWork.run(async () => {
      // Two Owners could otherwise demote each other concurrently.
      await this.organizations.lockOrganizationRow(organizationId);
      const before = await this.collaborators.lockCollaboratorRow(organizationId, collaboratorId);
      const role = change.role === undefined ? before.role : roleFrom(change.role);
      const enabled = change.enabled ?? before.enabled;
      requireMayManage(managerRole, before.role, role);
      // The operator may remove the last Owner, for example one who lost all second factors.
      if (managerRole !== 'operator') {
        const others = await this.collaborators.countOtherOwners(organizationId, collaboratorId);
        requireRemainingOwner(before, { role, enabled }, others);
      }
      if (role === before.role && enabled === before.enabled) return before;
      const at = await this.clock.now();
      const after: Collaborator = { ...before, role, enabled, updatedAt: at };
      await this.collaborators.save(after);
      if (!enabled) {
        await this.sessions.endAll(collaboratorId);
        await this.devices.forgetAll(collaboratorId);
      }
      await this.pairings.removeCodesOf(collaboratorId);
      await this.revokeDevices(before, after, change, { actor, address, at });
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

  private async revokeDevices(
    before: Collaborator,
    after: Collaborator,
    { devices, managerRole }: ChangeCollaboratorInput,
    by: Actor & { at: Date },
  ): Promise<void> {
    const paired = await this.credentials.lockPairedBy(before.id);
    const isCashiers = ({ pairing }: Credential) =>
      before.role === 'cashier' && pairing?.pairedAs === 'cashier';
    const mustChoose = managerRole !== 'operator' && mayPairDevices(before) && !mayPairDevices(after);
    if (mustChoose && !paired.every(isCashiers)) requireDeviceChoice(devices);
    for (const device of paired) {
      if (devices !== 'revoke' && !isCashiers(device)) continue;
      await this.credentials.remove(before.organizationId, device.id);
      await recordCredentialAuditEntry(this.auditLog, 'credential.revoked', {
        ...by,
        before: device,
        after: null,
      });
    }
  }
}

function mayPairDevices({ enabled, role }: Collaborator): boolean {
  return enabled && hasPermission(role, 'pair_devices');
}

function requireDeviceChoice(devices: string | undefined): void {
  if (devices === 'revoke' || devices === 'keep') return;
  throw invalidField(
    'devices',
    'choice',
    'This person has paired phones that still work. Choose whether to revoke them.',
  );
}
