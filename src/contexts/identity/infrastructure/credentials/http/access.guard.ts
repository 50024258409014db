import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, RequestHandler } from 'express';
import passport from 'passport';
import { type Principal, type ProvenRequest, roleOfMethod } from '#shared/platform/http/callers/principal.js';
import { MarkedRoutes } from '#shared/platform/http/callers/route-marks.js';
import { refusals } from '#contexts/identity/domain/credentials/access-refusals.js';
import { ACCESS_TOKEN_STRATEGY } from './access-token.strategy.js';

const WITHOUT_SESSION = { session: false };

/**
 * Runs before every route of the service. A route is protected unless its marker says otherwise; a caller that passes has proven
 * everything in the order of docs/api/authentication.md and stands in `request.principal`.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  private readonly routes: MarkedRoutes;

  constructor(reflector: Reflector) {
    this.routes = new MarkedRoutes(reflector);
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { isPublic, hasOwnRate, wantsOrganization } = this.routes.marksOf(context);
    if (isPublic) return true;
    const request = context.switchToHttp().getRequest<Request & Required<ProvenRequest>>();
    request.hasOwnRate = hasOwnRate;
    request.principal = await proven(request);
    this.demandRole(request);
    if (wantsOrganization) this.demandOrganization(request.principal);
    return true;
  }

  private demandRole({ method, principal }: Request & Required<ProvenRequest>): void {
    const role = roleOfMethod(method);
    if (!principal.roles.has(role)) throw refusals.roleRequired(role);
  }

  private demandOrganization({ scope }: Principal): void {
    if (scope.accountId !== null) throw refusals.organizationScopeRequired();
  }
}

/**
 * Passport's own callback is used: Nest's `AuthGuard` makes options, promises and closures anew for each request, which
 * cost as much as proving the token. The strategy reports an unacceptable token as no principal, and passes errors on.
 */
function proven(request: Request): Promise<Principal> {
  return new Promise((resolve, reject) => {
    const settle = (error: Error | null, principal?: Principal | false | null) => {
      if (error) reject(error);
      else if (principal) resolve(principal);
      else reject(refusals.tokenInvalid());
    };
    const prove = passport.authenticate(ACCESS_TOKEN_STRATEGY, WITHOUT_SESSION, settle) as RequestHandler;
    void prove(request, request.res!, reject);
  });
}
