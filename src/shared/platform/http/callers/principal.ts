import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { CredentialId, PointOfSaleId } from '#shared/kernel/ids.js';
import type { Scope } from '#shared/kernel/scope.js';

/** Permission of an API credential. Neither role includes the other (docs/reference/authentication.md). */
export type Role = 'read' | 'write';

/** The authenticated caller of a request. */
export interface Principal {
  readonly credentialId: CredentialId;
  /** Public part of the credential, in the form `svc.{env}.{uuid}`. */
  readonly keyId: string;
  readonly scope: Scope;
  /** The only point of sale that a device credential may act on; null for an API key. */
  readonly pointOfSaleId: PointOfSaleId | null;
  readonly roles: ReadonlySet<Role>;
  /** IP address of the caller (caller-address.ts). */
  readonly address: string;
  /** Time of the authentication by the database clock. */
  readonly at: Date;
}

/** A request after authentication by the guards. */
export interface ProvenRequest {
  principal?: Principal;
  hasOwnRate?: boolean;
}

/** Injects the authenticated caller into a handler. @throws Error on a route marked `@Public()` */
export const CurrentPrincipal = createParamDecorator((_: unknown, context: ExecutionContext): Principal => {
  const { principal } = context.switchToHttp().getRequest<ProvenRequest>();
  if (principal === undefined) throw new Error('CurrentPrincipal on a route that proves no caller');
  return principal;
});
