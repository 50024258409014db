import { DomainError } from '#shared/kernel/domain-error.js';
import {
  startPageOf,
  rolesWithPermission,
  roleName,
  type CollaboratorRole,
  type DashboardPermission,
  type SignInStage,
} from '#shared/kernel/dashboard-access.js';
import type { StepUpAction } from '#shared/platform/http/dashboard/dashboard-route.js';
import type { FormRefusal } from '#shared/platform/http/dashboard/form-refusal.js';

/** No session, or not the required stage of the sign-in. */
export class SignInRequired extends DomainError {
  constructor(readonly stage?: SignInStage) {
    super('unauthenticated', 'credentials_invalid', 'Sign in to continue.');
  }
}

export class SecondFactorRequired extends DomainError {
  constructor() {
    super('forbidden', 'role_required', 'Confirm your second factor to continue.');
  }
}

export class ActionSecondFactorRequired extends DomainError {
  constructor(
    readonly act: StepUpAction,
    readonly typed: Readonly<Record<string, unknown>>,
    readonly hasPasskey: boolean,
    readonly refusal?: FormRefusal,
  ) {
    super('forbidden', 'role_required', `To ${act.does}, confirm your second factor.`);
  }
}

export class DashboardRoleMissing extends DomainError {
  readonly home: string;

  constructor(role: CollaboratorRole, action: DashboardPermission) {
    const roles = rolesWithPermission(action).map(roleName).join(' or ');
    super(
      'forbidden',
      'role_required',
      `This action requires the role ${roles}. Your role is ${roleName(role)}.`,
    );
    this.home = startPageOf(role);
  }
}
