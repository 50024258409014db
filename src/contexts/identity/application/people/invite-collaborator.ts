import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { stateConflict } from '#shared/kernel/domain-error.js';
import { requireEmail } from '#shared/kernel/email-address.js';
import { newId, type InvitationId, type OrganizationId } from '#shared/kernel/ids.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { Invitations, type Invitation } from '../../infrastructure/people/persistence/invitations.js';
import { AuditLog, type Actor } from '../../contract/audit-log.js';
import { Collaborators } from '../../infrastructure/people/persistence/collaborators.js';
import { requireMayManage, roleFrom, type ManagerRole } from '../../domain/people/collaborator.js';
import { OutgoingMails } from '../../contract/outgoing-mails.js';
import { invitationMail, otherOrganizationMemberMail, DashboardLinks } from '../../domain/people/mails.js';
import { Organizations } from '../../infrastructure/accounts/persistence/organizations.js';
import { digestOf, newSecret } from '../secret.js';

export const INVITATION_VALID_DAYS = 7;
const INVITATION_VALID_MS = INVITATION_VALID_DAYS * 86_400_000;

export interface NewInvitation extends Actor {
  readonly organizationId: OrganizationId;
  readonly email: string;
  readonly role: string;
  readonly inviterRole: ManagerRole;
}

/** An e-mail address that signs in to another organization gets a mail without a link. The inviter cannot tell. */
@Injectable()
export class InviteCollaborator {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly organizations: Organizations,
    private readonly collaborators: Collaborators,
    private readonly invitations: Invitations,
    private readonly mails: OutgoingMails,
    private readonly links: DashboardLinks,
    private readonly auditLog: AuditLog,
  ) {}

  async invite(input: NewInvitation): Promise<{ invitation: Invitation; link: string }> {
    const { organizationId, inviterRole, actor, address } = input;
    const [email, role] = [requireEmail(input.email), roleFrom(input.role)];
    requireMayManage(inviterRole, role);
    const token = newSecret();
    const link = this.links.invitation(token);
    const invitation = await this.unitOfWork.run(async () => {
      const { name: organizationName } = await this.organizations.lockOrganizationRow(organizationId);
      const known = await this.collaborators.findByEmail(email);
      if (known?.collaborator.organizationId === organizationId)
        throw stateConflict('This e-mail address already belongs to a collaborator. Use another address.');
      // Replaces an open invitation for the same address, which the inviter must be allowed to cancel.
      const replaced = await this.invitations.findByEmail(organizationId, email);
      if (replaced !== null) requireMayManage(inviterRole, replaced.role);
      const at = await this.clock.now();
      const id = newId<InvitationId>();
      const expiresAt = new Date(at.getTime() + INVITATION_VALID_MS);
      const made = { id, organizationId, email, role, invitedBy: actor, expiresAt, createdAt: at };
      await this.invitations.addOrReplace(made, digestOf(token));
      await this.mails.queueToTypedAddress(
        known === null
          ? invitationMail({ email, role, organizationName, invitedBy: actor }, link)
          : otherOrganizationMemberMail(email, organizationName, actor),
        organizationId,
      );
      const after = auditableInvitation(made);
      const action = 'invitation.sent';
      await this.auditLog.record({
        actor,
        address,
        action,
        organizationId,
        subjectId: id,
        before: null,
        after,
        at,
      });
      return made;
    });
    return { invitation, link };
  }

  async withdraw(
    organizationId: OrganizationId,
    id: InvitationId,
    inviterRole: ManagerRole,
    by: Actor,
  ): Promise<void> {
    await this.unitOfWork.run(async () => {
      const withdrawn = await this.invitations.withdraw(organizationId, id);
      requireMayManage(inviterRole, withdrawn.role);
      const at = await this.clock.now();
      const before = auditableInvitation(withdrawn);
      const action = 'invitation.withdrawn';
      await this.auditLog.record({ ...by, action, organizationId, subjectId: id, before, after: null, at });
    });
  }
}

function auditableInvitation({ email, role, expiresAt }: Invitation): object {
  return { email, role, expires_at: expiresAt };
}
