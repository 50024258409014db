import { Injectable } from '@nestjs/common';
import { Clock } from '../../../../shared/kernel/clock.js';
import type { CollaboratorId, SessionId } from '../../../../shared/kernel/ids.js';
import { UnitOfWork } from '../../../../shared/kernel/unit-of-work.js';
import { Collaborators } from '../../domain/people/collaborator.js';
import { digestOf, newSecret } from '../secret.js';
import { DashboardSessions } from './dashboard-sessions.js';
import { KnownDevices } from './known-devices.js';
import { ProveSecondFactor } from './prove-second-factor.js';
import { SessionEnded } from './session-ended.js';

export interface SecondFactorAttempt {
  readonly collaboratorId: CollaboratorId;
  readonly sessionId: SessionId;
  readonly code: string;
  /** Of the device's cookie. */
  readonly deviceDigest?: Buffer | undefined;
}

/** Ends the sign-in: the session is under a new cookie, and the device a known one. */
@Injectable()
export class PassSecondFactor {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly prove: ProveSecondFactor,
    private readonly devices: KnownDevices,
    private readonly sessions: DashboardSessions,
    private readonly collaborators: Collaborators,
    private readonly clock: Clock,
  ) {}

  /** @returns the cookies of the session and of the device. @throws DomainError on `code`, RateLimited, SessionEnded */
  async execute({
    deviceDigest,
    ...proof
  }: SecondFactorAttempt): Promise<{ token: string; deviceToken: string }> {
    const { collaboratorId, sessionId } = proof;
    const isKnown = deviceDigest !== undefined && (await this.devices.isKnown(collaboratorId, deviceDigest));
    await this.prove.prove({ ...proof, known: isKnown ? deviceDigest.toString('hex') : undefined });
    return this.complete(collaboratorId, sessionId);
  }

  /** Once the second factor was shown, or has just been enrolled. @throws SessionEnded */
  async complete(
    person: CollaboratorId,
    session: SessionId,
  ): Promise<{ token: string; deviceToken: string }> {
    const [token, deviceToken] = [newSecret(), newSecret()];
    await this.unitOfWork.run(async () => {
      // First: it holds the person's row, as a reset does before it ends sessions and forgets devices.
      await this.collaborators.noteSignIn(person, await this.clock.now());
      if (!(await this.sessions.renew(session, 'signed_in', digestOf(token)))) throw new SessionEnded();
      await this.devices.remember(person, digestOf(deviceToken));
    });
    return { token, deviceToken };
  }
}
