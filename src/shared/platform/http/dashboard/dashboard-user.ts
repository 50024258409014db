import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { CollaboratorId, OrganizationId, DashboardSessionId } from '#shared/kernel/ids.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import type { CollaboratorRole, SignInStage } from '#shared/kernel/dashboard-access.js';
import type { StepUpAction } from './dashboard-route.js';

export interface DashboardUser {
  readonly collaboratorId: CollaboratorId;
  readonly email: string;
  readonly name: string;
  readonly role: CollaboratorRole;
  readonly organizationId: OrganizationId;
  readonly organizationName: string;
  readonly timeZone: string;
  /** Always the complete organization, never a single account. */
  readonly scope: TenantScope;
  readonly sessionId: DashboardSessionId;
  readonly stage: SignInStage;
  readonly hasPasskey: boolean;
  readonly factorProvenAt: Date | null;
  readonly address: string;
  readonly at: Date;
}

export interface DashboardUserRequest {
  visitor?: DashboardUser;
  unproven?: { readonly visitor: DashboardUser; readonly act: StepUpAction };
}

export const CurrentDashboardUser = createParamDecorator(
  (_: unknown, context: ExecutionContext): DashboardUser => {
    const { visitor } = context.switchToHttp().getRequest<DashboardUserRequest>();
    if (visitor === undefined) throw new Error('CurrentVisitor on a route that proves no person');
    return visitor;
  },
);
