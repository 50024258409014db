import { Injectable, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { Request } from 'express';
import type {
  Principal,
  RequestWithPrincipal,
  PrincipalRole,
} from '#shared/platform/http/callers/principal.js';
import { RouteMarkerReader, type DeviceUse } from '#shared/platform/http/callers/route-markers.js';
import { accessRefusals } from '#contexts/identity/domain/credentials/access-refusals.js';
import { ACCESS_TOKEN_STRATEGY } from './access-token.strategy.js';
import { CredentialRateLimits } from './credential-rate-limits.js';

const PRINCIPAL_PROPERTY_OPTION = { property: 'principal' };

@Injectable()
export class AccessGuard extends AuthGuard(ACCESS_TOKEN_STRATEGY) {
  private readonly routes: RouteMarkerReader;

  constructor(
    reflector: Reflector,
    private readonly rates: CredentialRateLimits,
  ) {
    super();
    this.routes = new RouteMarkerReader(reflector);
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const { isPublic, hasOwnRate, needsOrganization, deviceUse } = this.routes.markersOf(context);
    if (isPublic) return true;
    const request = context.switchToHttp().getRequest<Request & Required<RequestWithPrincipal>>();
    request.hasOwnRate = hasOwnRate;
    await super.canActivate(context);
    this.requireRole(request);
    if (needsOrganization) this.requireOrganizationScope(request.principal);
    this.requireDeviceAllowed(deviceUse, request);
    return true;
  }

  override getAuthenticateOptions() {
    return PRINCIPAL_PROPERTY_OPTION;
  }

  /** An invalid token is reported by a missing principal. */
  override handleRequest<T>(error: unknown, principal: T | false | null): T {
    if (error) throw error;
    if (!principal) throw accessRefusals.tokenInvalid();
    return principal;
  }

  private requireRole({ method, principal }: Request & Required<RequestWithPrincipal>): void {
    const role = roleOfMethod(method);
    if (!principal.roles.has(role)) throw accessRefusals.roleRequired(role);
  }

  private requireOrganizationScope({ scope }: Principal): void {
    if (scope.accountId !== null) throw accessRefusals.organizationScopeRequired();
  }

  /** Devices may use only marked routes, and only their own point of sale. */
  private requireDeviceAllowed(
    use: DeviceUse | undefined,
    { principal: { pointOfSaleId, credentialId }, params }: Request & Required<RequestWithPrincipal>,
  ): void {
    if (pointOfSaleId === null) return;
    const isOwn = String(params['posID']).toLowerCase() === pointOfSaleId;
    if (use === undefined || (use !== 'common' && !isOwn)) throw accessRefusals.deviceNotAllowed();
    if (use === 'creation') this.rates.countPaymentRequestCreation(credentialId);
  }
}

/** `write` does not include `read`. GET handlers also serve HEAD. */
function roleOfMethod(method: string): PrincipalRole {
  return method === 'GET' || method === 'HEAD' ? 'read' : 'write';
}
