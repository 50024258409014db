import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { CollaboratorId, OrganizationId, SessionId } from '#shared/kernel/ids.js';
import type { Scope } from '#shared/kernel/scope.js';
import type { CollaboratorRole, SessionStage } from '#shared/kernel/dashboard-access.js';
import type { FreshAct } from './dashboard-route.js';

/** The signed-in person who makes the request. */
export interface DashboardVisitor {
  readonly collaboratorId: CollaboratorId;
  readonly email: string;
  readonly name: string;
  readonly role: CollaboratorRole;
  readonly organizationId: OrganizationId;
  readonly organizationName: string;
  /** IANA time zone of the organization. */
  readonly timeZone: string;
  /** Always the complete organization, never a single account. */
  readonly scope: Scope;
  readonly sessionId: SessionId;
  readonly stage: SessionStage;
  /** True if the person can use a passkey instead of a one-time code. */
  readonly hasPasskey: boolean;
  /** Time at which the person last proved the second factor; null before sign-in is complete. */
  readonly factorProvenAt: Date | null;
  /** IP address of the caller (caller-address.ts). */
  readonly address: string;
  /** Time of the authentication by the database clock. */
  readonly at: Date;
}

/** A request after the dashboard guards. */
export interface VisitedRequest {
  visitor?: DashboardVisitor;
  /** A visitor who must prove the second factor before this action. Handlers receive a visitor only afterwards. */
  unproven?: { readonly visitor: DashboardVisitor; readonly act: FreshAct };
}

/** Injects the signed-in person. @throws Error on a route without a dashboard marker */
export const CurrentVisitor = createParamDecorator(
  (_: unknown, context: ExecutionContext): DashboardVisitor => {
    const { visitor } = context.switchToHttp().getRequest<VisitedRequest>();
    if (visitor === undefined) throw new Error('CurrentVisitor on a route that proves no person');
    return visitor;
  },
);
