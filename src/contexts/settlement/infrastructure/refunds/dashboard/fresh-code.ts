import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { DashboardVisitor } from '#shared/platform/http/dashboard/dashboard-visitor.js';
import { setSessionCookie } from '#shared/platform/http/dashboard/dashboard-answer.js';
import { SecondFactor } from '#contexts/identity/contract/dashboard-session.js';

/** Asks for the second factor again before money leaves. */
@Injectable()
export class FreshCode {
  constructor(private readonly secondFactor: SecondFactor) {}

  /**
   * A code works once: call it after all that can be refused without it, and before the use case. The person's session goes
   * on under a new cookie, also where the use case refuses.
   * @throws DomainError on `code`, RateLimited
   */
  async demand(
    { collaboratorId, sessionId }: DashboardVisitor,
    code: string | undefined,
    response: Response,
  ): Promise<void> {
    const proof = { collaboratorId, sessionId, code: code ?? '' };
    const { sessionToken } = await this.secondFactor.demand(proof);
    setSessionCookie(response, sessionToken);
  }
}
