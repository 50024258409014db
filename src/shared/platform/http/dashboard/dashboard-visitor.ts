import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { CollaboratorId, OrganizationId, SessionId } from '#shared/kernel/ids.js';
import type { Scope } from '#shared/kernel/scope.js';
import type { CollaboratorRole, SessionStage } from '#shared/kernel/dashboard-access.js';
import type { FreshAct } from './dashboard-route.js';

/** The person who makes this request, authenticated by their session. */
export interface DashboardVisitor {
  readonly collaboratorId: CollaboratorId;
  readonly email: string;
  readonly name: string;
  readonly role: CollaboratorRole;
  readonly organizationId: OrganizationId;
  readonly organizationName: string;
  /** The organization's: a time zone of the IANA database. */
  readonly timeZone: string;
  /** The entire organization, in the form of a credential's scope. */
  readonly scope: Scope;
  readonly sessionId: SessionId;
  readonly stage: SessionStage;
  /** True if the person can use a passkey instead of a code. */
  readonly hasPasskey: boolean;
  /** Time of the last proof of the second factor; null before sign-in is complete. */
  readonly factorProvenAt: Date | null;
  /** Address of the caller (caller-address.ts). */
  readonly address: string;
  /** Time of the authentication by the database clock. */
  readonly at: Date;
}

/** The request after the guards of the dashboard. */
export interface VisitedRequest {
  visitor?: DashboardVisitor;
  /** A visitor whose second factor is not checked yet. No handler receives them before the check. */
  unproven?: { readonly visitor: DashboardVisitor; readonly act: FreshAct };
}

/** Injects the person. @throws Error on a route without a mark of the dashboard */
export const CurrentVisitor = createParamDecorator(
  (_: unknown, context: ExecutionContext): DashboardVisitor => {
    const { visitor } = context.switchToHttp().getRequest<VisitedRequest>();
    if (visitor === undefined) throw new Error('CurrentVisitor on a route that proves no person');
    return visitor;
  },
);
