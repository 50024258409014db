import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { StepUpAction } from '#shared/platform/http/dashboard/dashboard-route.js';
import type { DashboardUser, DashboardUserRequest } from '#shared/platform/http/dashboard/dashboard-user.js';
import { catchFormRefusal } from '#shared/platform/http/dashboard/form-refusal.js';
import { setSessionCookie } from '#shared/platform/http/dashboard/dashboard-answer.js';
import { SecondFactorVerifier } from '#contexts/identity/contract/dashboard-session.js';
import { ActionSecondFactorRequired } from './dashboard-refusals.js';
import { hasRecentSecondFactor } from '#contexts/identity/domain/people/second-factors.js';

/** Runs after the body is parsed, so that the page can submit the typed values again. */
@Injectable()
export class RecentSecondFactorGuard implements CanActivate {
  constructor(private readonly secondFactor: SecondFactorVerifier) {}

  canActivate(context: ExecutionContext): true | Promise<true> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request & DashboardUserRequest>();
    return (
      request.unproven === undefined || this.setProvenVisitor(request, request.unproven, http.getResponse())
    );
  }

  private async setProvenVisitor(
    request: Request & DashboardUserRequest,
    { visitor, act }: NonNullable<DashboardUserRequest['unproven']>,
    response: Response,
  ): Promise<true> {
    const { code, ...typed } = (request.body ?? {}) as Record<string, unknown>;
    if (!hasRecentSecondFactor(visitor)) await this.requireFactor(visitor, act, code, typed, response);
    if (request.body !== undefined) request.body = typed;
    request.visitor = visitor;
    return true;
  }

  private async requireFactor(
    { collaboratorId, sessionId, hasPasskey }: DashboardUser,
    act: StepUpAction,
    code: unknown,
    typed: Readonly<Record<string, unknown>>,
    response: Response,
  ): Promise<void> {
    if (typeof code !== 'string') throw new ActionSecondFactorRequired(act, typed, hasPasskey);
    const refusal = await catchFormRefusal(async () => {
      const { sessionToken } = await this.secondFactor.verify({ collaboratorId, sessionId, code });
      setSessionCookie(response, sessionToken);
    });
    if (refusal !== undefined) throw new ActionSecondFactorRequired(act, typed, hasPasskey, refusal);
  }
}
