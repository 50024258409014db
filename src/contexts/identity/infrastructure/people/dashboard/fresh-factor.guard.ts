import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { FreshAct } from '#shared/platform/http/dashboard/dashboard-route.js';
import type { DashboardVisitor, VisitedRequest } from '#shared/platform/http/dashboard/dashboard-visitor.js';
import { catchFormRefusal } from '#shared/platform/http/dashboard/form-refusal.js';
import { setSessionCookie } from '#shared/platform/http/dashboard/dashboard-answer.js';
import { SecondFactor } from '#contexts/identity/contract/dashboard-session.js';
import { ActProofNeeded } from './dashboard-refusals.js';
import { hasFreshProof } from '#contexts/identity/domain/people/second-factors.js';

/** Runs after the body is parsed, so that the page can submit the typed values again. */
@Injectable()
export class FreshFactorGuard implements CanActivate {
  constructor(private readonly secondFactor: SecondFactor) {}

  canActivate(context: ExecutionContext): true | Promise<true> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request & VisitedRequest>();
    return (
      request.unproven === undefined || this.setProvenVisitor(request, request.unproven, http.getResponse())
    );
  }

  private async setProvenVisitor(
    request: Request & VisitedRequest,
    { visitor, act }: NonNullable<VisitedRequest['unproven']>,
    response: Response,
  ): Promise<true> {
    const { code, ...typed } = (request.body ?? {}) as Record<string, unknown>;
    if (!hasFreshProof(visitor)) await this.requireFactor(visitor, act, code, typed, response);
    if (request.body !== undefined) request.body = typed;
    request.visitor = visitor;
    return true;
  }

  private async requireFactor(
    { collaboratorId, sessionId, hasPasskey }: DashboardVisitor,
    act: FreshAct,
    code: unknown,
    typed: Readonly<Record<string, unknown>>,
    response: Response,
  ): Promise<void> {
    if (typeof code !== 'string') throw new ActProofNeeded(act, typed, hasPasskey);
    const refusal = await catchFormRefusal(async () => {
      const { sessionToken } = await this.secondFactor.verify({ collaboratorId, sessionId, code });
      setSessionCookie(response, sessionToken);
    });
    if (refusal !== undefined) throw new ActProofNeeded(act, typed, hasPasskey, refusal);
  }
}
