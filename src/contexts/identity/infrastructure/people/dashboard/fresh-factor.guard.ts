import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { FreshAct } from '#shared/platform/http/dashboard/dashboard-route.js';
import type { DashboardVisitor, VisitedRequest } from '#shared/platform/http/dashboard/dashboard-visitor.js';
import { catchFormRefusal } from '#shared/platform/http/dashboard/form-refusal.js';
import { setSessionCookie } from '#shared/platform/http/dashboard/dashboard-answer.js';
import { SecondFactor } from '#contexts/identity/contract/dashboard-session.js';
import { ActProofNeeded } from './dashboard-refusals.js';
import { hasFreshProof } from '#contexts/identity/domain/people/second-factors.js';

/**
 * Requests the second factor before an act that requires it fresh. Runs after the guard that reads the body, so that the
 * page that requests the factor can send the typed values again, with `code`. Without this guard, the handler has no visitor.
 */
@Injectable()
export class FreshFactorGuard implements CanActivate {
  constructor(private readonly secondFactor: SecondFactor) {}

  canActivate(context: ExecutionContext): true | Promise<true> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request & VisitedRequest>();
    return request.unproven === undefined || this.prove(request, request.unproven, http.getResponse());
  }

  private async prove(
    request: Request & VisitedRequest,
    { visitor, act }: NonNullable<VisitedRequest['unproven']>,
    response: Response,
  ): Promise<true> {
    const { code, ...typed } = (request.body ?? {}) as Record<string, unknown>;
    if (!hasFreshProof(visitor)) await this.demand(visitor, act, code, typed, response);
    if (request.body !== undefined) request.body = typed;
    request.visitor = visitor;
    return true;
  }

  /** @throws ActProofNeeded */
  private async demand(
    { collaboratorId, sessionId, hasPasskey }: DashboardVisitor,
    act: FreshAct,
    code: unknown,
    typed: Readonly<Record<string, unknown>>,
    response: Response,
  ): Promise<void> {
    if (typeof code !== 'string') throw new ActProofNeeded(act, typed, hasPasskey);
    const refusal = await catchFormRefusal(async () => {
      const { sessionToken } = await this.secondFactor.demand({ collaboratorId, sessionId, code });
      setSessionCookie(response, sessionToken);
    });
    if (refusal !== undefined) throw new ActProofNeeded(act, typed, hasPasskey, refusal);
  }
}
