import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { invalidField } from '#shared/kernel/domain-error.js';
import type { DashboardSessionId } from '#shared/kernel/ids.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { PasswordHasher } from './password-hasher.js';
import { LockOuts } from '../../infrastructure/people/persistence/lock-outs.js';
import { PASSWORD_BACK_OFF } from '../../domain/people/lock-out.js';
import { Collaborators } from '../../infrastructure/people/persistence/collaborators.js';
import { requireAcceptablePassword, type PasswordOwner } from '../../domain/people/password-rule.js';
import { DashboardSessions } from '../../infrastructure/people/persistence/dashboard-sessions.js';
import { RecordSecurityChange, type ActingCollaborator } from './record-security-change.js';
import { PasswordResets } from '../../infrastructure/people/persistence/password-resets.js';

/** Ends the person's other sessions and password reset links. */
@Injectable()
export class ChangePassword {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly collaborators: Collaborators,
    private readonly passwords: PasswordHasher,
    private readonly resets: PasswordResets,
    private readonly sessions: DashboardSessions,
    private readonly lockOuts: LockOuts,
    private readonly recordSecurityChange: RecordSecurityChange,
  ) {}

  async change(
    person: ActingCollaborator & PasswordOwner,
    session: DashboardSessionId,
    current: string,
    password: string,
  ): Promise<void> {
    const guessed = { parts: ['current-password', person.collaboratorId], backOff: PASSWORD_BACK_OFF };
    await this.lockOuts.countGuess(guessed);
    const found = await this.collaborators.findByEmail(person.email);
    if (!(await this.passwords.verify(current, found?.passwordHash ?? null)))
      throw invalidField('current_password', 'password', 'is not your current password.');
    await this.lockOuts.clearGuesses(guessed);
    requireAcceptablePassword(password, person, (text) => this.passwords.isCommon(text));
    const hash = await this.passwords.hash(password);
    await this.unitOfWork.run(async () => {
      await this.collaborators.changePassword(person.collaboratorId, hash, await this.clock.now());
      await this.resets.endAll(person.collaboratorId);
      await this.sessions.endAll(person.collaboratorId, session);
      await this.recordSecurityChange.record(
        person,
        'password.changed',
        'Your password was changed, and your other sessions have ended.',
      );
    });
  }
}
