import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { DomainError } from '#shared/kernel/domain-error.js';
import { newId, type CollaboratorId } from '#shared/kernel/ids.js';
import { requireText } from '#shared/kernel/text.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { Collaborators } from '../../infrastructure/people/persistence/collaborators.js';
import {
  MAX_PERSON_NAME_LENGTH,
  auditableCollaborator,
  mayStillGrant,
  type Collaborator,
} from '../../domain/people/collaborator.js';
import { PasswordHasher } from './password-hasher.js';
import { AuditLog } from '../../contract/audit-log.js';
import { Organizations } from '../../infrastructure/accounts/persistence/organizations.js';
import { requireAcceptablePassword } from '../../domain/people/password-rule.js';
import { digestOf, newSecret } from '../secret.js';
import { DashboardSessions } from '../../infrastructure/people/persistence/dashboard-sessions.js';
import type { RequestSource } from './dashboard-sessions.js';
import { Invitations, type Invitation } from '../../infrastructure/people/persistence/invitations.js';

export interface AcceptInvitationInput extends RequestSource {
  readonly token: string;
  readonly name: string;
  readonly password: string;
}

/** The new collaborator must then enrol a second factor. */
@Injectable()
export class AcceptInvitation {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly organizations: Organizations,
    private readonly invitations: Invitations,
    private readonly collaborators: Collaborators,
    private readonly passwords: PasswordHasher,
    private readonly sessions: DashboardSessions,
    private readonly auditLog: AuditLog,
  ) {}

  async readInvitation(token: string): Promise<Invitation & { organizationName: string }> {
    const invitation = await this.invitations.find(digestOf(token));
    if (invitation === null) throw invitationNotFound();
    const inviter = (await this.collaborators.findByEmail(invitation.invitedBy))?.collaborator;
    // An operator may invite without being a collaborator.
    const isOwn = inviter?.organizationId === invitation.organizationId;
    if (isOwn && !mayStillGrant(inviter, invitation.role)) throw invitationNotFound();
    return invitation;
  }

  /** @returns a session cookie */
  async accept(input: AcceptInvitationInput): Promise<{ token: string }> {
    const invited = await this.readInvitation(input.token);
    const name = requireText('name', input.name, MAX_PERSON_NAME_LENGTH);
    const password = requireAcceptablePassword(input.password, invited, (text) =>
      this.passwords.isCommon(text),
    );
    const passwordHash = await this.passwords.hash(password);
    const session = newSecret();
    await this.unitOfWork.run(async () => {
      // Changing the inviter's role takes the same lock, so such a change commits before this check or waits for it.
      await this.organizations.lockOrganizationRow(invited.organizationId);
      await this.readInvitation(input.token);
      const taken = await this.invitations.consume(digestOf(input.token));
      if (taken === null) throw invitationNotFound();
      const person = await this.addCollaborator(taken, name, passwordHash, input.address);
      await this.sessions.begin(person.id, 'enrolling', digestOf(session), input);
    });
    return { token: session };
  }

  private async addCollaborator(
    { email, role, organizationId }: Invitation,
    name: string,
    hash: string,
    address: string,
  ) {
    const at = await this.clock.now();
    const id = newId<CollaboratorId>();
    const dates = { lastSignedInAt: null, createdAt: at, updatedAt: at };
    const person: Collaborator = { id, organizationId, email, name, role, enabled: true, ...dates };
    await this.collaborators.add(person, hash);
    const after = auditableCollaborator(person);
    const entry = { actor: email, address, organizationId, subjectId: id };
    await this.auditLog.record({ ...entry, action: 'collaborator.joined', before: null, after, at });
    return person;
  }
}

function invitationNotFound(): DomainError {
  return new DomainError(
    'not_found',
    'not_found',
    'This invitation has expired, or has already been used or withdrawn. Ask for a new one.',
  );
}
