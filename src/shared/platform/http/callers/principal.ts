import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { CredentialId, PointOfSaleId } from '#shared/kernel/ids.js';
import type { TenantScope } from '#shared/kernel/scope.js';

export type PrincipalRole = 'read' | 'write';

export interface Principal {
  readonly credentialId: CredentialId;
  readonly keyId: string;
  readonly scope: TenantScope;
  readonly pointOfSaleId: PointOfSaleId | null;
  readonly roles: ReadonlySet<PrincipalRole>;
  readonly address: string;
  readonly at: Date;
}

export interface RequestWithPrincipal {
  principal?: Principal;
  hasOwnRate?: boolean;
}

export const CurrentPrincipal = createParamDecorator((_: unknown, context: ExecutionContext): Principal => {
  const { principal } = context.switchToHttp().getRequest<RequestWithPrincipal>();
  if (principal === undefined) throw new Error('CurrentPrincipal on a route that proves no caller');
  return principal;
});
