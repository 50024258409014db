import { Injectable } from '@nestjs/common';
import type { DashboardSessionId } from '#shared/kernel/ids.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { Collaborators } from '../../infrastructure/people/persistence/collaborators.js';
import { DashboardSessions } from '../../infrastructure/people/persistence/dashboard-sessions.js';
import { DashboardSessionEndedError } from './dashboard-sessions.js';
import type { ActingCollaborator } from './record-security-change.js';
import { SecondFactors } from '../../infrastructure/people/persistence/second-factors.js';
import { hasFactor, type EnrolledFactors } from '../../domain/people/second-factors.js';

export interface SecondFactorChange extends ActingCollaborator {
  readonly sessionId: DashboardSessionId;
}

/** Each change sees the result of the previous one. */
@Injectable()
export class SecondFactorChangeRunner {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly collaborators: Collaborators,
    private readonly sessions: DashboardSessions,
    private readonly factors: SecondFactors,
  ) {}

  /**
   * Adding a first factor ends the person's other sessions without one. @throws DashboardSessionEndedError, and the errors of the
   * change
   */
  run<T>(
    { organizationId, collaboratorId, sessionId }: SecondFactorChange,
    change: (enrolled: EnrolledFactors) => Promise<T>,
  ): Promise<T> {
    return this.unitOfWork.run(async () => {
      await this.collaborators.lockCollaboratorRow(organizationId, collaboratorId);
      const stage = await this.sessions.lockSessionRow(collaboratorId, sessionId);
      const enrolled = await this.factors.readEnrolledFactors(collaboratorId);
      if (stage !== 'signed_in' && (stage !== 'enrolling' || hasFactor(enrolled)))
        throw new DashboardSessionEndedError();
      const result = await change(enrolled);
      await this.sessions.endEnrolling(collaboratorId, sessionId);
      return result;
    });
  }
}
