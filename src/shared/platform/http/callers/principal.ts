import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { CredentialId, PointOfSaleId } from '#shared/kernel/ids.js';
import type { Scope } from '#shared/kernel/scope.js';

/** A credential's permission; neither implies the other (docs/reference/authentication.md). */
export type Role = 'read' | 'write';

/** Who makes this request, as proven a moment ago. */
export interface Principal {
  readonly credentialId: CredentialId;
  /** The public half of the credential, `svc.{env}.{uuid}`. */
  readonly keyId: string;
  readonly scope: Scope;
  /** The one point of sale that a device may act on; null for an API key. */
  readonly pointOfSaleId: PointOfSaleId | null;
  readonly roles: ReadonlySet<Role>;
  /** That the request came from (caller-address.ts). */
  readonly address: string;
  /** The database clock's time of the proof. */
  readonly at: Date;
}

/** The request as guards leave it for controllers. */
export interface ProvenRequest {
  principal?: Principal;
  /** The route has a rate of its own. */
  hasOwnRate?: boolean;
}

/** The proven caller. On a route that is `@Public()` there is none, and asking for it is a programming error. */
export const CurrentPrincipal = createParamDecorator((_: unknown, context: ExecutionContext): Principal => {
  const { principal } = context.switchToHttp().getRequest<ProvenRequest>();
  if (principal === undefined) throw new Error('CurrentPrincipal on a route that proves no caller');
  return principal;
});
