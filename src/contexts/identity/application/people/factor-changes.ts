import { Injectable } from '@nestjs/common';
import type { SessionId } from '#shared/kernel/ids.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { Collaborators } from '../../domain/people/collaborator.js';
import { DashboardSessions, SessionEnded } from './dashboard-sessions.js';
import type { OwnChange } from './note-security-change.js';
import { hasFactor, SecondFactors, type EnrolledFactors } from './second-factors.js';

/** A person who changes their factors, and the session that they do it by. */
export interface FactorChange extends OwnChange {
  readonly sessionId: SessionId;
}

/** Changes of one person's factors happen one after another, and each is judged by the state that the one before leaves. */
@Injectable()
export class FactorChanges {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly collaborators: Collaborators,
    private readonly sessions: DashboardSessions,
    private readonly factors: SecondFactors,
  ) {}

  /**
   * Runs a change in a unit of work that holds the person's row. A session that enrols may add the first factor and no
   * other; once there is one, the other sessions that were to enrol have ended.
   * @throws SessionEnded, and what the change throws
   */
  run<T>(
    { organizationId, collaboratorId, sessionId }: FactorChange,
    change: (enrolled: EnrolledFactors) => Promise<T>,
  ): Promise<T> {
    return this.unitOfWork.run(async () => {
      await this.collaborators.lock(organizationId, collaboratorId);
      const stage = await this.sessions.lock(collaboratorId, sessionId);
      const enrolled = await this.factors.enrolledBy(collaboratorId);
      if (stage !== 'signed_in' && (stage !== 'enrolling' || hasFactor(enrolled))) throw new SessionEnded();
      const result = await change(enrolled);
      await this.sessions.endEnrolling(collaboratorId, sessionId);
      return result;
    });
  }
}
