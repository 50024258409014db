import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import type { CollaboratorId, SessionId } from '#shared/kernel/ids.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { Collaborators } from '../../infrastructure/people/persistence/collaborators.js';
import { digestOf, newSecret } from '../secret.js';
import { DashboardSessions } from '../../infrastructure/people/persistence/dashboard-sessions.js';
import { KnownDevices } from '../../infrastructure/people/persistence/known-devices.js';
import { SessionEnded } from './dashboard-sessions.js';
import type { SelfServiceChange } from './note-security-change.js';
import { NoteSignIn } from './note-sign-in.js';
import { ProveSecondFactor } from './prove-second-factor.js';

export interface SecondFactorAttempt extends SelfServiceChange {
  readonly sessionId: SessionId;
  readonly userAgent: string;
  readonly code: string;
  readonly deviceDigest?: Buffer | undefined;
}

/** Gives the session a new cookie and marks the device as known. */
@Injectable()
export class PassSecondFactor {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly prove: ProveSecondFactor,
    private readonly devices: KnownDevices,
    private readonly sessions: DashboardSessions,
    private readonly collaborators: Collaborators,
    private readonly clock: Clock,
    private readonly noteSignIn: NoteSignIn,
  ) {}

  async passWithCode({
    sessionId,
    code,
    deviceDigest,
    userAgent,
    ...person
  }: SecondFactorAttempt): Promise<{ token: string; deviceToken: string }> {
    const { collaboratorId } = person;
    const isKnown = deviceDigest !== undefined && (await this.devices.isKnown(collaboratorId, deviceDigest));
    const known = isKnown ? deviceDigest.toString('hex') : undefined;
    await this.prove.prove({ collaboratorId, sessionId, code, known });
    return this.completeSignIn(collaboratorId, sessionId, () =>
      this.noteSignIn.notePassed(person, code, isKnown, userAgent),
    );
  }

  /** Call it after the second factor was verified. @param note runs in the same unit of work @throws SessionEnded */
  async completeSignIn(
    person: CollaboratorId,
    session: SessionId,
    note: () => Promise<void> = async () => undefined,
  ): Promise<{ token: string; deviceToken: string }> {
    const [token, deviceToken] = [newSecret(), newSecret()];
    await this.unitOfWork.run(async () => {
      // This update comes first, because it locks the person's row, as a password reset does before it ends sessions.
      await this.collaborators.noteSignIn(person, await this.clock.now());
      if (!(await this.sessions.renew(session, 'signed_in', digestOf(token)))) throw new SessionEnded();
      await this.devices.remember(person, digestOf(deviceToken));
      await note();
    });
    return { token, deviceToken };
  }
}
