import { Injectable, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { Request } from 'express';
import type { Principal, ProvenRequest, Role } from '#shared/platform/http/callers/principal.js';
import { MarkedRoutes, type DeviceUse } from '#shared/platform/http/callers/route-markers.js';
import { refusals } from '#contexts/identity/domain/credentials/access-refusals.js';
import { ACCESS_TOKEN_STRATEGY } from './access-token.strategy.js';
import { CredentialRates } from './credential-rates.js';

const IN_PRINCIPAL = { property: 'principal' };

/**
 * Runs before every route of the service. A route is protected unless its marker says otherwise. Authenticates the caller in the order of
 * docs/reference/authentication.md, and sets `request.principal`.
 */
@Injectable()
export class AccessGuard extends AuthGuard(ACCESS_TOKEN_STRATEGY) {
  private readonly routes: MarkedRoutes;

  constructor(
    reflector: Reflector,
    private readonly rates: CredentialRates,
  ) {
    super();
    this.routes = new MarkedRoutes(reflector);
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const { isPublic, hasOwnRate, needsOrganization, deviceUse } = this.routes.marksOf(context);
    if (isPublic) return true;
    const request = context.switchToHttp().getRequest<Request & Required<ProvenRequest>>();
    request.hasOwnRate = hasOwnRate;
    await super.canActivate(context);
    this.demandRole(request);
    if (needsOrganization) this.demandOrganization(request.principal);
    this.demandDeviceMay(deviceUse, request);
    return true;
  }

  override getAuthenticateOptions() {
    return IN_PRINCIPAL;
  }

  /** The strategy reports an unacceptable token as a missing principal, and passes on all other errors. */
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

  /** Rejects devices on every route that is not marked for them, and on any other point of sale in the path. */
  private demandDeviceMay(
    use: DeviceUse | undefined,
    { principal: { pointOfSaleId, credentialId }, params }: Request & Required<ProvenRequest>,
  ): void {
    if (pointOfSaleId === null) return;
    const isOwn = String(params['posID']).toLowerCase() === pointOfSaleId;
    if (use === undefined || (use !== 'common' && !isOwn)) throw refusals.deviceNotAllowed();
    if (use === 'creation') this.rates.takeCreation(credentialId);
  }
}

/** Read methods require `read`, all others `write`. Neither role implies the other. GET handlers also serve HEAD. */
function roleOfMethod(method: string): Role {
  return method === 'GET' || method === 'HEAD' ? 'read' : 'write';
}
