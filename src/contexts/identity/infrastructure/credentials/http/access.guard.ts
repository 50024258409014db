import { Injectable, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { Request } from 'express';
import type { Principal, ProvenRequest, Role } from '#shared/platform/http/callers/principal.js';
import { MarkedRoutes } from '#shared/platform/http/callers/route-markers.js';
import { refusals } from '#contexts/identity/domain/credentials/access-refusals.js';
import { ACCESS_TOKEN_STRATEGY } from './access-token.strategy.js';

const IN_PRINCIPAL = { property: 'principal' };

/**
 * Runs before every route of the service. A route is protected unless its marker says otherwise; a caller that passes has proven
 * everything in the order of docs/api/authentication.md and stands in `request.principal`.
 */
@Injectable()
export class AccessGuard extends AuthGuard(ACCESS_TOKEN_STRATEGY) {
  private readonly routes: MarkedRoutes;

  constructor(reflector: Reflector) {
    super();
    this.routes = new MarkedRoutes(reflector);
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const { isPublic, hasOwnRate, wantsOrganization } = this.routes.marksOf(context);
    if (isPublic) return true;
    const request = context.switchToHttp().getRequest<Request & Required<ProvenRequest>>();
    request.hasOwnRate = hasOwnRate;
    await super.canActivate(context);
    this.demandRole(request);
    if (wantsOrganization) this.demandOrganization(request.principal);
    return true;
  }

  override getAuthenticateOptions() {
    return IN_PRINCIPAL;
  }

  /** The strategy reports an unacceptable token as no principal, and passes on the error of any other proof. */
  override handleRequest<T>(error: unknown, principal: T | false | null): T {
    if (error) throw error;
    if (!principal) throw refusals.tokenInvalid();
    return principal;
  }

  private demandRole({ method, principal }: Request & Required<ProvenRequest>): void {
    const role = roleOfMethod(method);
    if (!principal.roles.has(role)) throw refusals.roleRequired(role);
  }

  private demandOrganization({ scope }: Principal): void {
    if (scope.accountId !== null) throw refusals.organizationScopeRequired();
  }
}

/** Reading methods need `read`, all others `write`; neither implies the other. HEAD is served by GET's handler. */
function roleOfMethod(method: string): Role {
  return method === 'GET' || method === 'HEAD' ? 'read' : 'write';
}
