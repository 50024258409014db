import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { CredentialId, PointOfSaleId } from '#shared/kernel/ids.js';
import type { Scope } from '#shared/kernel/scope.js';

export type Role = 'read' | 'write';

export interface Principal {
  readonly credentialId: CredentialId;
  readonly keyId: string;
  readonly scope: Scope;
  readonly pointOfSaleId: PointOfSaleId | null;
  readonly roles: ReadonlySet<Role>;
  readonly address: string;
  readonly at: Date;
}

export interface ProvenRequest {
  principal?: Principal;
  hasOwnRate?: boolean;
}

export const CurrentPrincipal = createParamDecorator((_: unknown, context: ExecutionContext): Principal => {
  const { principal } = context.switchToHttp().getRequest<ProvenRequest>();
  if (principal === undefined) throw new Error('CurrentPrincipal on a route that proves no caller');
  return principal;
});
