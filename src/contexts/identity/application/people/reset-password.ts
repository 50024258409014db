import { Injectable } from '@nestjs/common';
import { normalizeEmailForLookup } from '#shared/kernel/email-address.js';
import { DomainError } from '#shared/kernel/domain-error.js';
import { Clock } from '#shared/kernel/clock.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import type { CallerAddressRanges } from '#shared/kernel/rate-limits.js';
import { PasswordHasher } from './password-hasher.js';
import { LockOuts } from '../../infrastructure/people/persistence/lock-outs.js';
import { Collaborators } from '../../infrastructure/people/persistence/collaborators.js';
import type { Collaborator } from '../../domain/people/collaborator.js';
import { OutgoingMails } from '../../contract/outgoing-mails.js';
import { passwordResetMail, DashboardLinks } from '../../domain/people/mails.js';
import { requireAcceptablePassword } from '../../domain/people/password-rule.js';
import { digestOf, newSecret } from '../secret.js';
import { DashboardSessions } from '../../infrastructure/people/persistence/dashboard-sessions.js';
import { KnownSignInBrowsers } from '../../infrastructure/people/persistence/known-sign-in-browsers.js';
import { RecordSecurityChange } from './record-security-change.js';
import { PasswordResets } from '../../infrastructure/people/persistence/password-resets.js';

/** Does not sign the person in: the second factor is still required. */
@Injectable()
export class ResetPassword {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly collaborators: Collaborators,
    private readonly resets: PasswordResets,
    private readonly passwords: PasswordHasher,
    private readonly sessions: DashboardSessions,
    private readonly devices: KnownSignInBrowsers,
    private readonly lockOuts: LockOuts,
    private readonly mails: OutgoingMails,
    private readonly links: DashboardLinks,
    private readonly recordSecurityChange: RecordSecurityChange,
  ) {}

  async countResetRequest(caller: CallerAddressRanges): Promise<void> {
    await this.lockOuts.countCallerGuess(caller, 'reset');
  }

  /** Runs after the response, whose time must not reveal whether the address is known. */
  async sendResetLink(email: string): Promise<void> {
    const found = await this.collaborators.findByEmail(normalizeEmailForLookup(email));
    if (found?.collaborator.enabled !== true) return;
    const token = newSecret();
    await this.unitOfWork.run(async () => {
      if (!(await this.resets.add(found.collaborator.id, digestOf(token)))) return;
      await this.mails.queue(passwordResetMail(found.collaborator.email, this.links.passwordReset(token)));
    });
  }

  async readResetLink(token: string): Promise<Collaborator & { organizationName: string }> {
    const person = await this.resets.find(digestOf(token));
    if (person === null) throw resetLinkNotFound();
    return person;
  }

  /**
   * Ends all sessions and forgets all known devices except the current one. Access to a mailbox does not make an
   * unknown device known. @param deviceDigest digest of the current device's cookie @throws DomainError on
   * `password`; not_found
   */
  async resetPassword(
    token: string,
    password: string,
    address: string,
    deviceDigest?: Buffer,
  ): Promise<void> {
    const owner = await this.readResetLink(token);
    const { id, organizationId, email } = owner;
    requireAcceptablePassword(password, owner, (text) => this.passwords.isCommon(text));
    const hash = await this.passwords.hash(password);
    await this.unitOfWork.run(async () => {
      await this.collaborators.lockCollaboratorRow(organizationId, id);
      await this.readResetLink(token);
      await this.resets.endAll(id);
      await this.collaborators.changePassword(id, hash, await this.clock.now());
      await this.sessions.endAll(id);
      await this.devices.forgetAll(id, deviceDigest);
      const person = { collaboratorId: id, organizationId, email, address };
      await this.recordSecurityChange.record(
        person,
        'password.reset',
        'Your password was reset, and all your sessions have ended.',
      );
    });
  }
}

function resetLinkNotFound(): DomainError {
  return new DomainError(
    'not_found',
    'not_found',
    'This link has expired or has already been used, or the password has changed. Request a new link.',
  );
}
