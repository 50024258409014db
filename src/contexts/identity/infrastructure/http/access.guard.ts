import { Injectable, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { Request } from 'express';
import type { Principal, ProvenRequest } from '../../../../shared/platform/http/callers/principal.js';
import {
  ORGANIZATION_SCOPE_ROUTE,
  OWN_RATE_ROUTE,
  PUBLIC_ROUTE,
} from '../../../../shared/platform/http/callers/route-markers.js';
import { roleOfMethod } from '../../../../shared/platform/http/callers/method-role-rule.js';
import { refusals } from '../../domain/refusals.js';
import { ACCESS_TOKEN_STRATEGY } from './access-token.strategy.js';

/**
 * Before every route of the service. A route is protected unless its marker says otherwise; a caller that passes has proven
 * everything in the order of docs/api/authentication.md and stands in `request.principal`.
 */
@Injectable()
export class AccessGuard extends AuthGuard(ACCESS_TOKEN_STRATEGY) {
  constructor(private readonly reflector: Reflector) {
    super();
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.marker<boolean>(PUBLIC_ROUTE, context) === true) return true;
    const request = context.switchToHttp().getRequest<Request & Required<ProvenRequest>>();
    request.hasOwnRate = this.marker<boolean>(OWN_RATE_ROUTE, context) === true;
    await super.canActivate(context);
    this.demandRole(request);
    this.demandScope(request.principal, context);
    return true;
  }

  override getAuthenticateOptions(): { session: false; property: 'principal' } {
    return { session: false, property: 'principal' };
  }

  /** passport-jwt reports an unacceptable token as `info`, and what our own proofs threw as `error`. */
  override handleRequest<P = Principal>(error: unknown, principal: P | false | null): P {
    if (error !== null && error !== undefined) throw error;
    if (!principal) throw refusals.tokenInvalid();
    return principal;
  }

  private demandRole({ method, principal }: Request & Required<ProvenRequest>): void {
    const role = roleOfMethod(method);
    if (!principal.roles.has(role)) throw refusals.roleRequired(role);
  }

  private demandScope({ scope }: Principal, context: ExecutionContext): void {
    if (this.marker<boolean>(ORGANIZATION_SCOPE_ROUTE, context) !== true) return;
    if (scope.accountId !== null) throw refusals.organizationScopeRequired();
  }

  private marker<T>(name: string, context: ExecutionContext): T | undefined {
    return this.reflector.getAllAndOverride<T | undefined>(name, [context.getHandler(), context.getClass()]);
  }
}
