import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import type { CollaboratorId, DashboardSessionId } from '#shared/kernel/ids.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { Collaborators } from '../../infrastructure/people/persistence/collaborators.js';
import { digestOf, newSecret } from '../secret.js';
import { DashboardSessions } from '../../infrastructure/people/persistence/dashboard-sessions.js';
import { KnownSignInBrowsers } from '../../infrastructure/people/persistence/known-sign-in-browsers.js';
import { DashboardSessionEndedError } from './dashboard-sessions.js';
import type { ActingCollaborator } from './record-security-change.js';
import { RecordSignIn } from './record-sign-in.js';
import { VerifySecondFactor } from './verify-second-factor.js';

export interface CompleteSignInInput extends ActingCollaborator {
  readonly sessionId: DashboardSessionId;
  readonly userAgent: string;
  readonly code: string;
  readonly deviceDigest?: Buffer | undefined;
}

/** Gives the session a new cookie and marks the device as known. */
@Injectable()
export class CompleteSignIn {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly prove: VerifySecondFactor,
    private readonly devices: KnownSignInBrowsers,
    private readonly sessions: DashboardSessions,
    private readonly collaborators: Collaborators,
    private readonly clock: Clock,
    private readonly noteSignIn: RecordSignIn,
  ) {}

  async passWithCode({
    sessionId,
    code,
    deviceDigest,
    userAgent,
    ...person
  }: CompleteSignInInput): Promise<{ token: string; deviceToken: string }> {
    const { collaboratorId } = person;
    const isKnown = deviceDigest !== undefined && (await this.devices.isKnown(collaboratorId, deviceDigest));
    const known = isKnown ? deviceDigest.toString('hex') : undefined;
    await this.prove.verifyCode({ collaboratorId, sessionId, code, known });
    return this.complete(collaboratorId, sessionId, () =>
      this.noteSignIn.recordSuccess(person, code, isKnown, userAgent),
    );
  }

  /** Call it after the second factor was verified. @param note runs in the same unit of work @throws DashboardSessionEndedError */
  async complete(
    person: CollaboratorId,
    session: DashboardSessionId,
    note: () => Promise<void> = async () => undefined,
  ): Promise<{ token: string; deviceToken: string }> {
    const [token, deviceToken] = [newSecret(), newSecret()];
    await this.unitOfWork.run(async () => {
      // This update comes first, because it locks the person's row, as a password reset does before it ends sessions.
      await this.collaborators.recordSignIn(person, await this.clock.now());
      if (!(await this.sessions.renewAfterSecondFactor(session, 'signed_in', digestOf(token))))
        throw new DashboardSessionEndedError();
      await this.devices.remember(person, digestOf(deviceToken));
      await note();
    });
    return { token, deviceToken };
  }
}
