import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { CollaboratorId, OrganizationId, SessionId } from '#shared/kernel/ids.js';
import type { Scope } from '#shared/kernel/scope.js';
import type { CollaboratorRole, SessionStage } from '#shared/kernel/dashboard-access.js';
import type { FreshAct } from './dashboard-route.js';

export interface DashboardVisitor {
  readonly collaboratorId: CollaboratorId;
  readonly email: string;
  readonly name: string;
  readonly role: CollaboratorRole;
  readonly organizationId: OrganizationId;
  readonly organizationName: string;
  readonly timeZone: string;
  /** Always the complete organization, never a single account. */
  readonly scope: Scope;
  readonly sessionId: SessionId;
  readonly stage: SessionStage;
  readonly hasPasskey: boolean;
  readonly factorProvenAt: Date | null;
  readonly address: string;
  readonly at: Date;
}

export interface VisitedRequest {
  visitor?: DashboardVisitor;
  unproven?: { readonly visitor: DashboardVisitor; readonly act: FreshAct };
}

export const CurrentVisitor = createParamDecorator(
  (_: unknown, context: ExecutionContext): DashboardVisitor => {
    const { visitor } = context.switchToHttp().getRequest<VisitedRequest>();
    if (visitor === undefined) throw new Error('CurrentVisitor on a route that proves no person');
    return visitor;
  },
);
