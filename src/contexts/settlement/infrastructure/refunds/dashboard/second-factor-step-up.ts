import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { DashboardUser } from '#shared/platform/http/dashboard/dashboard-user.js';
import { setSessionCookie } from '#shared/platform/http/dashboard/dashboard-answer.js';
import { SecondFactorVerifier } from '#contexts/identity/contract/dashboard-session.js';

@Injectable()
export class SecondFactorStepUp {
  constructor(private readonly secondFactor: SecondFactorVerifier) {}

  /**
   * Call this after all other checks, because the code is used up and the session continues under a new cookie, even
   * if the use case then refuses.
   * @throws DomainError on the field `code`, RateLimited
   */
  async verify(
    { collaboratorId, sessionId }: DashboardUser,
    code: string | undefined,
    response: Response,
  ): Promise<void> {
    const proof = { collaboratorId, sessionId, code: code ?? '' };
    const { sessionToken } = await this.secondFactor.verify(proof);
    setSessionCookie(response, sessionToken);
  }
}
