import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { CollaboratorId, OrganizationId, SessionId } from '#shared/kernel/ids.js';
import type { Scope } from '#shared/kernel/scope.js';
import type { CollaboratorRole, SessionStage } from '#shared/kernel/dashboard-access.js';
import type { DashboardActName } from './dashboard-acts.js';

/** The person who makes this request, as their session proved a moment ago. */
export interface DashboardVisitor {
  readonly collaboratorId: CollaboratorId;
  readonly email: string;
  readonly name: string;
  readonly role: CollaboratorRole;
  readonly organizationId: OrganizationId;
  readonly organizationName: string;
  /** The organization's: a time zone of the IANA database. */
  readonly timeZone: string;
  /** The whole organization: the use cases of the API take it as the scope of a credential. */
  readonly scope: Scope;
  readonly sessionId: SessionId;
  readonly stage: SessionStage;
  /** True where the person can show a passkey in place of a code. */
  readonly hasPasskey: boolean;
  /** When the second factor was shown last; null on the way in. */
  readonly factorProvenAt: Date | null;
  /** That the request came from (caller-address.ts). */
  readonly address: string;
  /** The database clock's time of the proof. */
  readonly at: Date;
}

/** The request as the guards of the dashboard leave it for controllers. */
export interface VisitedRequest {
  visitor?: DashboardVisitor;
  /** A visitor whose second factor is not judged yet; no handler sees them until then. */
  unproven?: { readonly visitor: DashboardVisitor; readonly act: DashboardActName };
}

/** The proven person. On a route that is not `@DashboardRoute()` there is none, and asking for it is a programming error. */
export const CurrentVisitor = createParamDecorator(
  (_: unknown, context: ExecutionContext): DashboardVisitor => {
    const { visitor } = context.switchToHttp().getRequest<VisitedRequest>();
    if (visitor === undefined) throw new Error('CurrentVisitor on a route that proves no person');
    return visitor;
  },
);
